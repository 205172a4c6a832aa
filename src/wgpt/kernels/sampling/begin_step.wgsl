var<workgroup> count: u32;

// One workgroup: its storage barrier makes the changed records visible to all rows.
@compute @workgroup_size({{ threads }})
fn main(@builtin(local_invocation_index) t: u32) {
    let epoch_at = p.words - 1u;
    if (t == 0u) { count = select(control[1], 0u, control[0] == state[epoch_at]); }
    let changes = workgroupUniformLoad(&count);
    for (var i = t; i < changes; i += {{ threads }}u) {
        let at = 2u + p.most_rows + 2u * i;
        if (control[at] < epoch_at) { state[control[at]] = control[at + 1u]; }
    }
    if (t == 0u) { state[epoch_at] = control[0]; }
{% if has_rows %}
    storageBarrier();
    for (var row = t; row < p.rows; row += {{ threads }}u) {
        var slot = control[2u + row];
        let exists = slot < epoch_at / {{ RECORD_WORDS }}u;
        slot = select(0u, slot, exists);
        let record = slot * {{ RECORD_WORDS }}u;
        let position = select(0xffffffffu, state[record + {{ POSITION }}u], exists);
        let idle = position == 0xffffffffu;
        ids[row] = select(state[record + {{ TOKEN }}u], 0u, idle);
        rows[row] = vec2(slot, position);
        loras[row] = select(state[record + {{ LORA }}u], 0u, idle);
    }
{% endif %}
}
