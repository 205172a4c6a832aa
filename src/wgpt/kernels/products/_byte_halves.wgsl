{# Signed bytes as halves, two at a time: a byte under the exponent of 8 is 9 and 128ths of the byte. `middle` of the codes
   is subtracted: a product of it and the scale would be rounded, and is part of the offset instead. #}
alias Two = vec2<f16>;
fn two(v: f32) -> Two { return Two(f16(v)); }
// Bytes 0 and 2 of a word, less the middle, in 128ths.
fn two_bytes_of(v: u32) -> Two { return bitcast<Two>((v & 0x00ff00ffu) ^ 0x48804880u) - Two({{ 9 + middle / 128 }}h); }
fn word_of(both: Two) -> u32 { return bitcast<u32>(both); }
// Four weights in order, of bytes 0 and 2 and of bytes 1 and 3.
fn in_order(even: Two, odd: Two) -> vec2<u32> { return vec2(word_of(Two(even.x, odd.x)), word_of(Two(even.y, odd.y))); }
