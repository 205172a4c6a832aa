// 2^14 over the largest power of two in `top`, the largest magnitude of a row.
fn scale_for(top: f32) -> f32 { return bitcast<f32>((268u - max(bitcast<u32>(top) >> 23u, 16u)) << 23u); }
