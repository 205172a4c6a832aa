{# Records of sequences (slots.py), for kernels that choose a token. Import with context. #}
{# Function finish_row(row, slot, token, nothing): reports the token of a row in use, and advances its record, unless
   the kernel does not `advance`. #}
{% macro finish() %}
fn finish_row(row: u32, slot: u32, token: u32, nothing: bool) {
{% if advance %}
    let record = slot * {{ RECORD_WORDS }}u;
{% endif %}
    tokens[row] = select(token, 0xffffffffu, nothing);
{% if advance %}
    slots[record + {{ TOKEN }}u] = select(token, 0u, nothing);
    slots[record + {{ POSITION }}u] += 1u;
    slots[record + {{ COUNTER }}u] += 1u;
{% endif %}
}
{% endmacro %}
