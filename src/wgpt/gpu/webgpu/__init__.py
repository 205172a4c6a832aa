"""WebGPU behind one interface: wgpu-native, Dawn, and one without a GPU. No other file of wgpt knows wgpu."""
