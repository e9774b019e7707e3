// SPDX-License-Identifier: Apache-2.0
#include "model/compare/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "model/compare/comparison_table.h"
#include "model/utf8.h"

namespace lanescope::compare {

/// A test, or nodes joined. True, false or unknown: what is unknown stays so unless the other side decides.
struct Condition::Node {
  enum class Kind { kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kEqual, kNotEqual, kWord, kAnd, kOr, kNot } kind;
  std::string field;
  double limit = 0;
  std::vector<std::shared_ptr<const Node>> parts = {};
};

namespace {

using Node = Condition::Node;
using NodePtr = std::shared_ptr<const Node>;
using Value = std::optional<double>;
using Truth = std::optional<bool>;

constexpr std::string_view kFields[] = {"p",        "ratio",    "low",     "high",    "share",  "difference",
                                        "count_a",  "count_b",  "total_a", "total_b", "mean_a", "mean_b",
                                        "median_a", "median_b", "a",       "b"};
constexpr std::size_t kDeepest = 64;

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  tl::expected<NodePtr, std::string> whole() {
    NodePtr root = either();
    skipSpace();
    if (error_.empty() && !rest_.empty()) error_ = fmt::format("“{}” is not understood", rest_);
    if (!error_.empty()) return tl::unexpected(error_);
    return root;
  }

 private:
  NodePtr fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
    return nullptr;
  }

  void skipSpace() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  static bool isWord(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }
  std::string_view peekWord() {
    skipSpace();
    return rest_.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest_, isWord) - rest_.begin()));
  }
  bool takeWord(std::string_view word) { return peekWord() == word && take(word); }

  /// Joined side by side, not one below the other: a chain may be of any length.
  NodePtr joined(Node::Kind kind, std::vector<NodePtr> parts) {
    return parts.size() == 1 ? parts.front() : std::make_shared<Node>(Node{kind, "", 0, std::move(parts)});
  }
  NodePtr either() {
    std::vector<NodePtr> parts{both()};
    while (error_.empty() && (takeWord("or") || take("||"))) parts.push_back(both());
    return joined(Node::Kind::kOr, std::move(parts));
  }
  NodePtr both() {
    std::vector<NodePtr> parts{one()};
    while (error_.empty() && (takeWord("and") || take("&&"))) parts.push_back(one());
    return joined(Node::Kind::kAnd, std::move(parts));
  }
  NodePtr one() {
    if (++depth_ > kDeepest) return fail("it is nested too deeply");
    NodePtr node;
    if (takeWord("not") || (!rest_.starts_with("!=") && take("!"))) {
      node = std::make_shared<Node>(Node{Node::Kind::kNot, "", 0, {one()}});
    } else if (take("(")) {
      node = either();
      if (error_.empty() && !take(")")) return fail("a parenthesis is not closed");
    } else {
      node = test();
    }
    --depth_;
    return node;
  }

  NodePtr test() {
    const std::string field(peekWord());
    rest_.remove_prefix(field.size());
    if (field == "new" || field == "gone") return std::make_shared<Node>(Node{Node::Kind::kWord, field});
    if (field.empty())
      return fail(rest_.empty() ? "something is missing at its end" : fmt::format("“{}” is not understood", rest_));
    if (std::ranges::find(kFields, field) == std::end(kFields))
      return fail(
          fmt::format("“{}” is none of p, ratio, low, high, share, difference, count_a, count_b, total_a, "
                      "total_b, mean_a, mean_b, median_a, median_b, new, gone, a, b",
                      field));
    constexpr std::pair<std::string_view, Node::Kind> kOperators[] = {
        {"<=", Node::Kind::kLessOrEqual}, {">=", Node::Kind::kGreaterOrEqual},
        {"==", Node::Kind::kEqual},       {"!=", Node::Kind::kNotEqual},
        {"<", Node::Kind::kLess},         {">", Node::Kind::kGreater}};
    for (const auto& [token, kind] : kOperators) {
      if (!take(token)) continue;
      const Value limit = number();
      if (!limit) return fail(fmt::format("a number is missing behind “{} {}”", field, token));
      return std::make_shared<Node>(Node{kind, field, *limit});
    }
    return fail(fmt::format("<, <=, >, >=, == or != is missing behind “{}”", field));
  }

  Value number() {
    skipSpace();
    if (rest_.starts_with('+')) rest_.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1},   {"us", 1e3}, {"µs", 1e3},
                                                              {"ms", 1e6}, {"s", 1e9},  {"%", 0.01}};
    skipSpace();
    for (const auto& [unit, factor] : kUnits)
      if (rest_.starts_with(unit) && (rest_.size() == unit.size() || !isWord(rest_[unit.size()]))) {
        rest_.remove_prefix(unit.size());
        return value * factor;
      }
    return value;
  }

  std::string_view rest_;
  std::string error_;
  std::size_t depth_ = 0;
};

/// One name or figure, as tests ask for it.
using FieldOf = std::function<Value(std::string_view)>;

Truth holds(const Node& node, const FieldOf& valueOf) {
  using Kind = Node::Kind;
  switch (node.kind) {
    case Kind::kAnd:
    case Kind::kOr: {
      const bool decides = node.kind == Kind::kOr;  // a part that is this settles it
      Truth all = !decides;
      for (const NodePtr& part : node.parts) {
        const Truth one = holds(*part, valueOf);
        if (one == decides) return one;
        if (!one) all = std::nullopt;
      }
      return all;
    }
    case Kind::kNot: {
      const Truth of = holds(*node.parts.front(), valueOf);
      return of ? Truth(!*of) : std::nullopt;
    }
    default:
      break;
  }
  const Value value = valueOf(node.field);
  if (!value) return std::nullopt;
  switch (node.kind) {
    case Kind::kLess:
      return *value < node.limit;
    case Kind::kLessOrEqual:
      return *value <= node.limit;
    case Kind::kGreater:
      return *value > node.limit;
    case Kind::kGreaterOrEqual:
      return *value >= node.limit;
    case Kind::kEqual:
      return *value == node.limit;
    case Kind::kNotEqual:
      return *value != node.limit;
    default:
      return *value != 0;
  }
}

Value fieldOf(const ComparedName& name, std::string_view field) {
  if (field == "new") return !name.a;
  if (field == "gone") return !name.b;
  if (field == "difference") return static_cast<double>(name.difference);
  if (field == "ratio") return name.ratio;
  if (field == "share") return name.share;
  if (field == "p" || field == "low" || field == "high") {
    const Evidence& evidence = name.evidence;
    if (evidence.state != Evidence::State::kTested) return std::nullopt;
    return field == "p" ? evidence.corrected : field == "low" ? evidence.low : evidence.high;
  }
  if (!field.ends_with("_a") && !field.ends_with("_b")) return std::nullopt;
  const SideFigures side = (field.ends_with("_a") ? name.a : name.b).value_or(SideFigures());
  const std::string_view figure = field.substr(0, field.size() - 2);
  if (figure == "count") return static_cast<double>(side.count);
  if (figure == "total") return static_cast<double>(side.total);
  return figure == "mean" ? side.mean : side.median;
}

Value fieldOf(const ComparedFigure& figure, std::string_view field) {
  const auto number = [](const Figure& of) {
    return std::visit([](auto v) { return static_cast<double>(v); }, of.value);
  };
  const double a = number(figure.a), b = number(figure.b);
  if (field == "a") return a;
  if (field == "b") return b;
  if (field == "difference") return b - a;
  if (field == "ratio" && a != 0) return b / a;
  return std::nullopt;
}

/// True if the text is the pattern, in which * stands for any text.
bool fits(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  text.remove_prefix(star);
  for (std::size_t next; (next = pattern.find('*')) != std::string_view::npos; pattern.remove_prefix(next + 1)) {
    const std::size_t at = text.find(pattern.substr(0, next));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + next);
  }
  return text.ends_with(pattern);
}

std::string whatHolds(const ComparedName& name) {
  std::string text = fmt::format("{} “{}”", wordOf(name.subject), shownText(name.name, 120));
  if (name.ratio) text += fmt::format(": ratio {:.3f}", *name.ratio);
  else text += fmt::format(": {}", verdictOf(name));
  if (name.evidence.state == Evidence::State::kTested) text += fmt::format(", p {:.2g}", name.evidence.corrected);
  return text;
}

}  // namespace

tl::expected<Condition, std::string> Condition::parse(std::string_view text) {
  Condition condition;
  condition.text_ = text;
  const std::size_t colon = text.rfind(':');  // the expression itself has none
  if (colon != std::string_view::npos) {
    condition.about_ = text.substr(0, colon);
    text.remove_prefix(colon + 1);
    if (condition.about_.empty()) return tl::unexpected(std::string("no name before the colon"));
  }
  const auto root = Parser(text).whole();
  if (!root) return tl::unexpected(root.error());
  condition.root_ = *root;
  return condition;
}

Condition::Answer Condition::of(const Comparison& comparison) const {
  Answer answer;
  const auto hold = [&](const auto& each, const auto& words) {
    ++answer.asked;
    const Truth truth = holds(*root_, [&](std::string_view field) { return fieldOf(each, field); });
    if (!truth) ++answer.unknown;
    else if (*truth) answer.holds.push_back(words(each));
  };
  const std::string_view figure = about_ == "overlap" ? std::string_view("copy_overlap") : about_;
  for (const ComparedFigure& each : comparison.figures)
    if (each.a.id == figure)
      hold(each, [](const ComparedFigure& of) {
        const std::string where = of.a.of.empty() ? "" : " of " + of.a.of;
        const auto value = [](const Figure& f) {
          return std::visit([&](auto v) { return fmt::format("{:.6g} {}", static_cast<double>(v), f.unit); }, f.value);
        };
        return fmt::format("{}{}: {} in A, {} in B", of.a.id, where, value(of.a), value(of.b));
      });
  if (answer.asked > 0) return answer;
  for (const ComparedName& each : comparison.names)
    if (about_.empty() || wordOf(each.subject) == about_ || fits(about_, each.name)) hold(each, whatHolds);
  return answer;
}

}  // namespace lanescope::compare
