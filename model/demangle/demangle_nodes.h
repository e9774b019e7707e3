// SPDX-License-Identifier: Apache-2.0
// Nodes of a parsed name that print otherwise than LLVM's own: `const float *`, `(int)4`, `T1`, `[lambda(int)
// (instance 1)]`. Nodes live in the Arena, which also knows how long each prints at most and how deep it is, so that a
// hostile name is refused before it is printed. Private to demangle.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <llvm/Demangle/ItaniumDemangle.h>

namespace lanescope::names {

using namespace llvm::itanium_demangle;

/// "const " before what is no pointer, " const" behind a pointer, as in `const float *const`.
class Qualified final : public Node {
 public:
  Qualified(const Node* child, Qualifiers qualifiers)
      : Node(KQualType, child->RHSComponentCache, child->ArrayCache, child->FunctionCache),
        child_(child),
        qualifiers_(qualifiers) {}

  bool hasRHSComponentSlow(OutputBuffer& out) const override { return child_->hasRHSComponent(out); }
  bool hasArraySlow(OutputBuffer& out) const override { return child_->hasArray(out); }
  bool hasFunctionSlow(OutputBuffer& out) const override { return child_->hasFunction(out); }

  void printLeft(OutputBuffer& out) const override {
    const bool behind = child_->getKind() == KPointerType || child_->getKind() == KPointerToMemberType;
    if (behind) child_->printLeft(out);
    const auto word = [&](Qualifiers which, const char* text) {
      if ((qualifiers_ & which) == 0) return;
      if (behind && out.back() != '*' && out.back() != ' ') out += ' ';
      out += text;
      if (!behind) out += ' ';
    };
    word(QualConst, "const");
    word(QualVolatile, "volatile");
    word(QualRestrict, "__restrict__");
    if (!behind) child_->printLeft(out);
  }
  void printRight(OutputBuffer& out) const override { child_->printRight(out); }

 private:
  const Node* child_;
  Qualifiers qualifiers_;
};

/// `float *`, `float **`, `float (*)[4]`; also references: `float &`.
template <Node::Kind kind>
class Indirect final : public Node {
 public:
  Indirect(const Node* to, std::string_view sign) : Node(kind, to->RHSComponentCache), to_(to), sign_(sign) {}

  bool hasRHSComponentSlow(OutputBuffer& out) const override { return to_->hasRHSComponent(out); }

  void printLeft(OutputBuffer& out) const override {
    to_->printLeft(out);
    const bool inBrackets = to_->hasArray(out) || to_->hasFunction(out);
    if (out.back() != '*' && out.back() != ' ' && (out.back() != '(' || inBrackets)) out += ' ';
    if (inBrackets) out += '(';
    out += StringView(sign_.data(), sign_.data() + sign_.size());
  }
  void printRight(OutputBuffer& out) const override {
    if (to_->hasArray(out) || to_->hasFunction(out)) out += ')';
    to_->printRight(out);
  }

 private:
  const Node* to_;
  std::string_view sign_;
};

class Array final : public Node {
 public:
  Array(const Node* base, const Node* dimension)
      : Node(KArrayType, Cache::Yes, Cache::Yes), base_(base), dimension_(dimension) {}

  bool hasRHSComponentSlow(OutputBuffer&) const override { return true; }
  bool hasArraySlow(OutputBuffer&) const override { return true; }
  void printLeft(OutputBuffer& out) const override { base_->printLeft(out); }
  void printRight(OutputBuffer& out) const override {
    if (out.back() != ']' && out.back() != ')') out += ' ';
    out += '[';
    if (dimension_) dimension_->print(out);
    out += ']';
    base_->printRight(out);
  }

 private:
  const Node *base_, *dimension_;
};

class Arguments final : public Node {
 public:
  explicit Arguments(NodeArray params) : Node(KTemplateArgs), params_(params) {}
  void printLeft(OutputBuffer& out) const override {
    out += '<';
    params_.printWithComma(out);
    out += '>';
  }

 private:
  NodeArray params_;
};

/// "" is the first of its kind, "0" the second.
inline void printInstance(OutputBuffer& out, StringView count) {
  unsigned long long number = 1;
  if (!count.empty()) {
    number = 0;
    for (const char digit : count)
      number = std::min(number * 10 + static_cast<unsigned>(digit - '0'), 1'000'000'000ull);
    number += 2;
  }
  out += " (instance ";
  out << number;
  out += ")]";
}

class Closure final : public ClosureTypeName {
 public:
  Closure(NodeArray templateParams, NodeArray params, StringView count)
      : ClosureTypeName(templateParams, params, count), count_(count) {}
  void printLeft(OutputBuffer& out) const override {
    out += "[lambda";
    printDeclarator(out);
    printInstance(out, count_);
  }

 private:
  StringView count_;
};

class Unnamed final : public Node {
 public:
  explicit Unnamed(StringView count) : Node(KUnnamedTypeName), count_(count) {}
  void printLeft(OutputBuffer& out) const override {
    out += "[unnamed type";
    printInstance(out, count_);
  }

 private:
  StringView count_;
};

inline void printNumber(OutputBuffer& out, StringView digits) {
  if (digits.startsWith('n')) {
    out += '-';
    digits = digits.dropFront(1);
  }
  out += digits;
}

/// `(unsigned long)3`. LLVM's parser gives the suffix of the literal where C++ has one.
class Integer final : public Node {
 public:
  Integer(StringView type, StringView digits) : Node(KIntegerLiteral), type_(type), digits_(digits) {}
  void printLeft(OutputBuffer& out) const override {
    constexpr std::pair<const char*, const char*> kTypes[] = {{"", "int"},         {"u", "unsigned int"},
                                                              {"l", "long"},       {"ul", "unsigned long"},
                                                              {"ll", "long long"}, {"ull", "unsigned long long"}};
    StringView type = type_;
    for (const auto& [suffix, whole] : kTypes)
      if (type_ == suffix) type = whole;
    out += '(';
    out += type;
    out += ')';
    printNumber(out, digits_);
  }

 private:
  StringView type_, digits_;
};

class Boolean final : public Node {
 public:
  explicit Boolean(bool value) : Node(KBoolExpr), value_(value) {}
  void printLeft(OutputBuffer& out) const override { out += value_ ? "(bool)1" : "(bool)0"; }

 private:
  bool value_;
};

class Enumerator final : public Node {
 public:
  Enumerator(const Node* type, StringView digits) : Node(KEnumLiteral), type_(type), digits_(digits) {}
  void printLeft(OutputBuffer& out) const override {
    out += '(';
    type_->print(out);
    out += ')';
    printNumber(out, digits_);
  }

 private:
  const Node* type_;
  StringView digits_;
};

/// Where the nodes of one name live. LLVM's parser asks it for every node by LLVM's type.
class Arena {
 public:
  void reset() {}

  template <class T, class... Args>
  Node* makeNode(Args&&... args) {
    Extent extent;
    (extent.add(args), ...);
    extent.length += kOwnText;
    ++extent.depth;
    if (extent.length > kLongest || extent.depth > kDeepest) return nullptr;
    if constexpr (std::is_same_v<T, QualType>) return place<Qualified>(extent, args...);
    else if constexpr (std::is_same_v<T, PointerType>) return place<Indirect<Node::KPointerType>>(extent, args..., "*");
    else if constexpr (std::is_same_v<T, ReferenceType>) return reference(extent, args...);
    else if constexpr (std::is_same_v<T, ArrayType>) return place<Array>(extent, args...);
    else if constexpr (std::is_same_v<T, TemplateArgs>) return place<Arguments>(extent, args...);
    else if constexpr (std::is_same_v<T, ClosureTypeName>) return place<Closure>(extent, args...);
    else if constexpr (std::is_same_v<T, UnnamedTypeName>) return place<Unnamed>(extent, args...);
    else if constexpr (std::is_same_v<T, IntegerLiteral>) return place<Integer>(extent, args...);
    else if constexpr (std::is_same_v<T, BoolExpr>) return place<Boolean>(extent, args...);
    else if constexpr (std::is_same_v<T, EnumLiteral>) return place<Enumerator>(extent, args...);
    else if constexpr (std::is_same_v<T, NameType>) return place<NameType>(extent, spelled(args...));
    else return place<T>(extent, std::forward<Args>(args)...);
  }

  void* allocateNodeArray(std::size_t count) { return allocate(count * sizeof(Node*)); }

  /// A text that lives as long as the nodes.
  StringView keep(std::string_view text) {
    auto* bytes = static_cast<char*>(allocate(text.size()));
    std::copy(text.begin(), text.end(), bytes);
    return {bytes, bytes + text.size()};
  }

 private:
  static constexpr std::uint64_t kLongest = 1 << 20, kOwnText = 32;
  static constexpr std::uint32_t kDeepest = 512;
  static constexpr std::size_t kBlock = 1 << 14;

  /// How much of a node's output comes from its parts.
  struct Extent {
    std::uint64_t length = 0;
    std::uint32_t depth = 0;

    template <class T>
    void add(const T& part) {
      if constexpr (std::is_null_pointer_v<T>) return;
      else if constexpr (std::is_convertible_v<T, const Node*>) addNode(part);
      else if constexpr (std::is_same_v<T, NodeArray>)
        for (const Node* node : part) addNode(node), length += 2;
      else if constexpr (std::is_convertible_v<T, StringView>) length += StringView(part).size();
    }
    void addNode(const Node* node) {
      if (!node) return;
      const auto* of = reinterpret_cast<const Extent*>(reinterpret_cast<const std::byte*>(node) - kHeader);
      length += of->length;
      depth = std::max(depth, of->depth);
    }
  };
  static constexpr std::size_t kHeader = 16;
  static_assert(sizeof(Extent) <= kHeader);

  template <class T, class... Args>
  Node* place(const Extent& extent, Args&&... args) {
    auto* memory = static_cast<std::byte*>(allocate(kHeader + sizeof(T)));
    new (memory) Extent(extent);
    return new (memory + kHeader) T(std::forward<Args>(args)...);
  }

  Node* reference(const Extent& extent, const Node* to, ReferenceKind kind) {
    return place<Indirect<Node::KReferenceType>>(extent, to, kind == ReferenceKind::LValue ? "&" : "&&");
  }

  StringView spelled(StringView name) {
    constexpr std::string_view kOperator = "operator";
    const std::string_view text(name.begin(), name.size());
    if (text == "(anonymous namespace)") return "<unnamed>";
    if (text.size() <= kOperator.size() || !text.starts_with(kOperator)) return name;
    const char next = text[kOperator.size()];
    if (next == ' ' || next == '_' || (next >= '0' && next <= '9') || (next | 0x20) >= 'a') return name;
    std::string spaced(kOperator);
    spaced += ' ';
    spaced += text.substr(kOperator.size());
    return keep(spaced);
  }

  void* allocate(std::size_t bytes) {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (blocks_.empty() || used_ + bytes > size_) {
      size_ = std::max(bytes, kBlock);
      blocks_.push_back(std::make_unique<std::byte[]>(size_));
      used_ = 0;
    }
    void* memory = blocks_.back().get() + used_;
    used_ += bytes;
    return memory;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t used_ = 0, size_ = 0;
};

}  // namespace lanescope::names
