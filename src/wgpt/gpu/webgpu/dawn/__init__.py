"""Dawn, Chromium's WebGPU, as an alternative to wgpu-native. Loaded when it is used."""
