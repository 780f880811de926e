#include "simd.h"

#include <simdjson.h>

using namespace simdjson;

struct simd_document {
    simd_document(const char *bytes, long length) : bytes(bytes, length) {}
    padded_string bytes;
    ondemand::parser parser;
};

extern "C" simd_document *simd_document_new(const char *bytes, long length) {
    return new simd_document(bytes, length);
}

extern "C" void simd_document_free(simd_document *document) { delete document; }

template <typename Value> static long visit(Value &&value) {
    switch (value.type().value()) {
    case ondemand::json_type::object: {
        long count = 1;
        for (auto field : value.get_object()) {
            std::string_view name = field.unescaped_key().value();
            count += (long)(name.size() > 1 << 20) + visit(field.value().value());
        }
        return count;
    }
    case ondemand::json_type::array: {
        long count = 1;
        for (auto element : value.get_array()) count += visit(element.value());
        return count;
    }
    case ondemand::json_type::string: return 1 + (long)(value.get_string().value().size() > 1 << 30);
    case ondemand::json_type::number: return 1 + (long)(value.get_double().value() > 1e300);
    case ondemand::json_type::boolean: return 1 + 0 * (long)value.get_bool().value();
    default: return value.is_null() ? 1 : -1;
    }
}

extern "C" long simd_document_visit(simd_document *document) {
    try {
        ondemand::document read = document->parser.iterate(document->bytes).value();
        return visit(read);
    } catch (const simdjson_error &) {
        return -1;
    }
}

extern "C" int simd_is_valid(const char *bytes, long length) {
    thread_local dom::parser parser;
    return parser.parse(bytes, length, true).error() == SUCCESS;
}
