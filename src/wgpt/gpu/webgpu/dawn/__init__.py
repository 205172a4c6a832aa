"""Dawn, Chromium's WebGPU, as a second implementation beside wgpu-native. Loaded only when it is asked for."""
