#include "CTVESandboxFiles.h"

#include <string.h>

// Clang has `#embed` in every version of C, and mentions the version that it comes from.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char OpenAPI_json[] = {
#embed "../TVESandbox/RESTv2/OpenAPI.json" suffix(, 0)
};
static const unsigned char ConsoleAPI_json[] = {
#embed "../TVESandboxConsole/API/ConsoleAPI.json" suffix(, 0)
};
static const unsigned char changes_js[] = {
#embed "../TVESandboxConsole/Assets/changes.js" suffix(, 0)
};
static const unsigned char conformance_css[] = {
#embed "../TVESandboxConsole/Assets/conformance.css" suffix(, 0)
};
static const unsigned char conformance_js[] = {
#embed "../TVESandboxConsole/Assets/conformance.js" suffix(, 0)
};
static const unsigned char connection_js[] = {
#embed "../TVESandboxConsole/Assets/connection.js" suffix(, 0)
};
static const unsigned char console_css[] = {
#embed "../TVESandboxConsole/Assets/console.css" suffix(, 0)
};
static const unsigned char console_js[] = {
#embed "../TVESandboxConsole/Assets/console.js" suffix(, 0)
};
static const unsigned char exchanges_js[] = {
#embed "../TVESandboxConsole/Assets/exchanges.js" suffix(, 0)
};
static const unsigned char exports_js[] = {
#embed "../TVESandboxConsole/Assets/exports.js" suffix(, 0)
};
static const unsigned char keyboard_js[] = {
#embed "../TVESandboxConsole/Assets/keyboard.js" suffix(, 0)
};
static const unsigned char notes_js[] = {
#embed "../TVESandboxConsole/Assets/notes.js" suffix(, 0)
};
static const unsigned char page_js[] = {
#embed "../TVESandboxConsole/Assets/page.js" suffix(, 0)
};
static const unsigned char sequence_css[] = {
#embed "../TVESandboxConsole/Assets/sequence.css" suffix(, 0)
};
static const unsigned char stream_js[] = {
#embed "../TVESandboxConsole/Assets/stream.js" suffix(, 0)
};
static const unsigned char text_js[] = {
#embed "../TVESandboxConsole/Assets/text.js" suffix(, 0)
};
static const unsigned char worker_js[] = {
#embed "../TVESandboxConsole/Assets/worker.js" suffix(, 0)
};
static const unsigned char world_js[] = {
#embed "../TVESandboxConsole/Assets/world.js" suffix(, 0)
};

static const struct {
    const char *name;
    const unsigned char *text;
} files[] = {
    {"OpenAPI.json", OpenAPI_json},
    {"ConsoleAPI.json", ConsoleAPI_json},
    {"changes.js", changes_js},
    {"conformance.css", conformance_css},
    {"conformance.js", conformance_js},
    {"connection.js", connection_js},
    {"console.css", console_css},
    {"console.js", console_js},
    {"exchanges.js", exchanges_js},
    {"exports.js", exports_js},
    {"keyboard.js", keyboard_js},
    {"notes.js", notes_js},
    {"page.js", page_js},
    {"sequence.css", sequence_css},
    {"stream.js", stream_js},
    {"text.js", text_js},
    {"worker.js", worker_js},
    {"world.js", world_js},
};

const char *tve_sandbox_file(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++)
        if (strcmp(files[index].name, name) == 0) return (const char *)files[index].text;
    return NULL;
}
