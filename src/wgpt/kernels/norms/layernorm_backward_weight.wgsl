{# Columns of the gain's gradient, then of the shift's: p.cols is twice the width of x. #}
fn term_at(row: u32, col: u32) -> f32 {
    let width = p.cols / 2u;
    if (col >= width) { return dy[row * width + col - width]; }
    let i = row * width + col;
    return dy[i] * ((x[i] - stats[row].x) * stats[row].y);
}
{% include "columns.wgsl" %}
