// A stand-in for <format>, which GCC before 13 lacks. mlx-c uses std::format for error texts only, with plain "{}".
#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace std {

inline string format(string_view text) {
    return string(text);
}

template <typename First, typename... Rest>
string format(string_view text, const First& first, const Rest&... rest) {
    const auto brace = text.find("{}");
    if (brace == string_view::npos) {
        return string(text);
    }
    ostringstream out;
    out << text.substr(0, brace) << first;
    return out.str() + format(text.substr(brace + 2), rest...);
}

} // namespace std
