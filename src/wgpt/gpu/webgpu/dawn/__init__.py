"""Dawn, Chromium's WebGPU, as an alternative to wgpu-native. Loaded only on request."""
