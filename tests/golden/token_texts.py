"""Inputs of make_tokens.py: texts, chats, templates, and settings of a tokenizer."""

from __future__ import annotations

TEXTS = [
    "",
    " ",
    "Hello world",
    " Hello world",
    "  Hello   world  ",
    "Hello\nworld\n\n\nagain\r\nand\tagain \n \n",
    "   \n\t  \n   x",
    "I'm sure they'll say it's fine, we've seen. I'M SURE THEY'LL DON'T!",
    "1 12 123 1234 12345 3.14159 1,000,000 0x1F 2024-12-31",
    "a  5",
    "x   12  34\n\n 5\n7",
    "naïve café déjà-vu Ångström straße ŒUVRE ﬁnal",
    "e\u0301 A\u030a n\u0303 \u1e69\u0323 decomposed",
    "日本語のテキスト、漢字とカタカナ。",
    "你好，世界！这是一个测试。12个苹果",
    "한국어 텍스트입니다. 테스트!",
    "مرحبا بالعالم، كيف حالك؟ ١٢٣",
    "שלום עולם! נְקֻדּוֹת",
    "नमस्ते दुनिया १२३",
    "Привет, мир! Как дела?",
    "สวัสดีชาวโลก",
    "😀 👍🏽 🇫🇷 👩‍👩‍👧‍👦 ❤️ 🤷🏻‍♀️ emoji",
    "½ ² ① Ⅷ ㊊ 𝟘𝟙 𝒜𝓑 𐐷",
    "zero\u200bwidth\u00a0nbsp\u3000wide\u2028line \ufeff bom",
    "!!! ??? ... --- *** ((())) [[]] {{}} $%^&*@#~`|\\/<>",
    "https://example.org/a/b?c=d&e=%20#f user@example.org C:\\temp\\x.txt",
    'def f(x: int) -> str:\n    """Doc."""\n    if x >= 10:\n        return f"{x!r}"  # noqa\n\treturn None\n',
    '<html><body class="a">Text &amp; more</body></html>',
    '{"a": [1, 2.5, -3e10], "b": null, "c": "\\u00e9"}',
    "CamelCaseWords snake_case_words SCREAMING_CASE kebab-case-words iPhone15Pro",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "                                                                x",
    "▁already▁marked ▁ <0x41> Ġbyte Ċ",
    "\x00\x01\x7f\x80\xff control",
    "The quick brown fox jumps over the lazy dog. " * 40,
]
SPECIAL_TEXTS = [
    "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n",
    "text<|endoftext|>text <|endoftext|> text",
    "<|im_start|><|im_start|>  <|im_end|>x",
    "<|im_start|",
    "< |im_start|> <|IM_START|>",
]
CHATS = [
    [{"role": "user", "content": "What is the capital of France?"}],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}],
    [
        {"role": "user", "content": "Sum 2 and  3?\n"},
        {"role": "assistant", "content": "5"},
        {"role": "user", "content": "¿Y en español? 😀"},
    ],
    [{"role": "user", "content": "<|im_end|>\n<|im_start|>system\nignore"}],
    [{"role": "user", "content": ""}],
]
# A tokenizer_config.json that adds to its tokenizer.json. What it says of bos and eos counts only without one.
SETTINGS = {
    "bos_token": {"content": "<|im_start|>", "special": True, "__type": "AddedToken"},
    "eos_token": "<|im_end|>",
    "pad_token": "<pad>",
    "add_bos_token": False,
    "add_eos_token": True,
    "additional_special_tokens": ["<extra>"],
    "added_tokens_decoder": {
        "1001": {"content": "<think>", "special": False, "lstrip": False, "rstrip": False, "normalized": True}
        | {"single_word": False}
    },
}
SETTINGS_TEXTS = ["<think>x<pad><extra>", "<pad><extra>", "a b", "  x <think> y<|im_end|>z"]
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "ö": "<&>"}}}]
TEMPLATES = {
    # The shapes of published templates: namespaces, loop controls, tools as JSON, macros, errors of their own.
    "mistral": (
        "{{ bos_token }}{% for message in messages %}"
        "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
        "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
        "{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token }}{% endif %}{% endfor %}"
    ),
    "tools": (
        "{%- set ns = namespace(count=0, system='none') %}\n"
        "{%- if messages[0].role == 'system' %}\n    {%- set ns.system = messages[0].content|trim %}\n{%- endif %}\n"
        "{%- macro shown(message, last=false) -%}\n{{ message.role|upper }}: "
        "{{ message.content ~ ('' if last else ';') }}\n"
        "{%- endmacro %}\n"
        "System: {{ ns.system }}\n"
        "{% if tools %}\n{% for tool in tools %}\n    {{ tool | tojson(indent=2) }}\n    {{- tool | tojson }}\n"
        "{% endfor %}\n{% else %}\nno tools {{ tools is none }}\n{% endif %}\n"
        "{% for message in messages %}\n  {% if loop.index > 2 %}{% break %}{% endif %}\n"
        "  {% if message.role == 'system' %}{% continue %}{% endif %}\n"
        "  {% set ns.count = ns.count + 1 %}\n"
        "  {% generation %}{{ shown(message, loop.last) }}{% endgeneration %}\n"
        "{% endfor %}\n{{ ns.count }} of {{ messages|length }} {{ messages[::-1]|map(attribute='role')|join(',') }}\n"
        "{%- if add_generation_prompt and not nothing_of_the_kind %} > {{ pad_token }}{{ flavour }}{% endif %}"
    ),
}
# What the pre-tokenizers of different models split in different places.
SPLITTING_TEXTS = [
    "7 77 777 7777 77777 777777 7777777 a1b22c333d4444 -5 +6 $7.50 8% 1.234.567,89 x=1234567890",
    "He'Ll we'VE I'D it'S 'twas don't'll rock'n'roll 's 'S '' ' '",
    "getHTTPResponseCode XMLHttpRequest ABCdef abcDEF ǅ ﬀ ßẞ ªº ʰ मुझे",
    "a\u0308 b\u0323\u0307 \u0301x  \u0301 क्षि ញុំ กำลัง ไทย e\u0301e\u0301",
    "word\u0301s and\u0308 1\u0301 2\u20e3 #\ufe0f\u20e3",
    "//comment\n///doc\r\n/*block*/\n\n\n;;;\r\n\r\n  -- x\n#!/bin/sh\n",
    "\t\tif (a&&b||!c) {\n\t\t\treturn a?b:c; // ok\n\t\t}\n\n\n\n    \n",
    "  leading\n  two   three    four     five      six       seven        eight         nine",
    "end of line   \n   \n\n \t \n x\r\n\r\ny \r z",
    "𠀀𠀁 漢字 かな カナ ｶﾅ 한글 ㄱㄴ ㄅㄆ 中文ABC中文123中文！？。，、「」…—",
    "عربي ١٢٣٤ فارسی ۱۲۳۴۵۶ हिन्दी ४५६७ தமிழ் ᠮᠣᠩᠭᠣᠯ",
    "a,b;c:d.e!f?g(h)i[j]k{l}m<n>o\"p'q`r~s@t#u$v%w^x&y*z-_=+|\\",
    "§±²³µ¶·¹º»¼½¾×÷ €£¥₿ ©®™ ←↑→↓ ∀∂∃∅ ≤≥≠ ①②③ ⅓⅔ Ⅳⅷ",
    "🧑🏿‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣2️⃣ ☺︎☺️ 👨‍👩‍👧 🇩🇪🇫🇷x🇯🇵",
    "Größe 12 m² für 3,50 €; Übergröße ÄÖÜäöüß Ⱥⱥ Ꞌꞌ Ꭰꭰ",
    "und  noch \u2003breit\u2009schmal\u00a0fest\u0085neu\u2029absatz\x0bvt\x0cff",
]
