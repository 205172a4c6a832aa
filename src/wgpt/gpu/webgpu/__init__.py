"""WebGPU, behind one interface: wgpu-native, and one that makes nothing. No other file of ours knows wgpu."""
