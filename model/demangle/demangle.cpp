// SPDX-License-Identifier: Apache-2.0
#include "model/demangle/demangle.h"

#include <cstdlib>

#include "model/demangle/demangle_nodes.h"

/// The one function that the parser leaves to LLVM's library: steps over what tells namesakes of a function apart,
/// `_ <digit>` or `__ <number> _`, or the bare number that GCC writes at the end.
const char* llvm::itanium_demangle::parse_discriminator(const char* first, const char* last) {
  const auto isDigit = [&](const char* at) { return at != last && *at >= '0' && *at <= '9'; };
  const char* at = first;
  if (at != last && *at == '_') {
    ++at;
    if (isDigit(at)) return at + 1;
    if (at == last || *at != '_') return first;
    for (++at; isDigit(at);) ++at;
    return at != last && *at == '_' ? at + 1 : first;
  }
  while (isDigit(at)) ++at;
  return at == last ? last : first;
}

namespace lanescope {
namespace {

using namespace names;

constexpr std::size_t kLongestName = 1 << 16;
constexpr int kDeepestParse = 200;     ///< of a production inside itself, each a few frames of the stack
constexpr int kTemplateParameters = 200;

/// LLVM's parser but for two things: a template parameter stays `T1`, and what nests too deep is refused. It calls the
/// productions through this class, so one that is named here stands before its own.
class Parser : public AbstractManglingParser<Parser, Arena> {
  using Base = AbstractManglingParser<Parser, Arena>;

 public:
  using Base::Base;

  Node* parseTemplateParam() {
    if (!consumeIf('T')) return nullptr;
    std::size_t index = 0;
    if (consumeIf('L') && (parsePositiveInteger(&index) || !consumeIf('_'))) return nullptr;
    index = 1;
    if (!consumeIf('_')) {
      if (parsePositiveInteger(&index) || !consumeIf('_')) return nullptr;
      index += 2;
    }
    return make<NameType>(ASTAllocator.keep("T" + std::to_string(index)));
  }

  Node* parseType() {
    return deeper([&] { return Base::parseType(); });
  }
  Node* parseQualifiedType() {
    return deeper([&] { return Base::parseQualifiedType(); });
  }
  Node* parseExpr() {
    return deeper([&] { return Base::parseExpr(); });
  }
  Node* parseBracedExpr() {
    return deeper([&] { return Base::parseBracedExpr(); });
  }
  Node* parseEncoding() {
    return deeper([&] { return Base::parseEncoding(); });
  }
  Node* parseName(NameState* state = nullptr) {
    return deeper([&] { return Base::parseName(state); });
  }
  Node* parseTemplateArg() {
    return deeper([&] { return Base::parseTemplateArg(); });
  }

 private:
  template <class Production>
  Node* deeper(Production production) {
    Node* node = depth_ < kDeepestParse ? (++depth_, production()) : (++depth_, nullptr);
    --depth_;
    return node;
  }

  int depth_ = 0;
};

/// Declarations of a lambda's template parameters nest without the parser asking us.
bool declaresTooMuch(std::string_view mangled) {
  int count = 0;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i)
    count += mangled[i] == 'T' && (mangled[i + 1] == 't' || mangled[i + 1] == 'p');
  return count > kTemplateParameters;
}

std::string printed(const Node* node) {
  OutputBuffer out;
  out += StringView();
  node->print(out);
  std::string text(out.getBuffer() ? std::string_view(out.getBuffer(), out.getCurrentPosition()) : std::string_view());
  std::free(out.getBuffer());
  return text;
}

/// The identifier at the end of a name.
const Node* lastName(const Node* node) {
  for (;;) {
    const Node* inner = nullptr;
    switch (node->getKind()) {
      case Node::KDotSuffix:
        static_cast<const DotSuffix*>(node)->match([&](const Node* prefix, StringView) { inner = prefix; });
        break;
      case Node::KFunctionEncoding:
        inner = static_cast<const FunctionEncoding*>(node)->getName();
        break;
      case Node::KNameWithTemplateArgs:
        inner = static_cast<const NameWithTemplateArgs*>(node)->Name;
        break;
      case Node::KNestedName:
        inner = static_cast<const NestedName*>(node)->Name;
        break;
      case Node::KLocalName:
        inner = static_cast<const LocalName*>(node)->Entity;
        break;
      case Node::KStdQualifiedName:
        inner = static_cast<const StdQualifiedName*>(node)->Child;
        break;
      case Node::KAbiTagAttr:
        inner = static_cast<const AbiTagAttr*>(node)->Base;
        break;
      default:
        return node;
    }
    node = inner;
  }
}

}  // namespace

KernelName kernelName(std::string_view mangled) {
  const auto asItIs = [&] { return KernelName{std::string(mangled), std::string(mangled)}; };
  if (!mangled.starts_with("_Z") || mangled.size() > kLongestName || declaresTooMuch(mangled)) return asItIs();
  Parser parser(mangled.data(), mangled.data() + mangled.size());
  const Node* name = parser.parse();
  if (!name) return asItIs();
  return {printed(name), printed(lastName(name))};
}

}  // namespace lanescope
