// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/search.h"

#include <utility>

#include "views/timeline/go_to.h"

namespace lanescope::views {

using analysis::Hits;

Search& Search::of(ViewState& view) {
  auto* search = view.findChild<Search*>(QString(), Qt::FindDirectChildrenOnly);
  return search ? *search : *new Search(view);
}

Search::Search(ViewState& view) : QObject(&view), view_(view) {
  connect(&view_, &ViewState::traceChanged, this, [this] {
    if (!text_.isEmpty()) start();
  });
  connect(&view_, &ViewState::passingChanged, this, [this] {
    if (!text_.isEmpty()) start();
    else emit changed();  // hits that something else came by stay, but are told otherwise
  });
  connect(&view_, &ViewState::currentChanged, this, &Search::changed);
  connect(&view_, &ViewState::hitsChanged, this, &Search::changed);
  connect(&view_, &ViewState::hitsDismissed, this, [this] {
    job_.cancel();
    text_.clear();
    name_.clear();
    mistake_.reset();
    emit changed();
  });
}

void Search::look(const QString& text, bool regex) {
  if (text == text_ && regex == regex_ && name_.isEmpty()) return;
  text_ = text;
  regex_ = regex;
  name_.clear();
  stepWhenFound_.reset();
  start();
}

void Search::start() {
  const auto query = analysis::Query::parse(text_.toStdString(), regex_);
  mistake_.reset();
  if (!query) mistake_ = QString::fromStdString(query.error().why);
  if (!query || query->empty()) {
    job_.cancel();
    take(nullptr);
    return;
  }
  job_.start(
      [trace = view_.trace(), query = *query, passing = view_.passing()](const Job& job) {
        return std::make_shared<const Hits>(analysis::find(*trace, query, job, passing.get()));
      },
      [this](std::shared_ptr<const Hits> hits) { take(std::move(hits)); });
  emit changed();
}

void Search::take(std::shared_ptr<const Hits> hits) {
  view_.setHits(std::move(hits));
  emit changed();
  if (const auto forward = std::exchange(stepWhenFound_, {})) step(*forward);
}

void Search::show(std::shared_ptr<const Hits> hits, const QString& name) {
  job_.cancel();
  text_.clear();
  mistake_.reset();
  stepWhenFound_.reset();
  name_ = name;
  take(std::move(hits));
}

std::uint64_t Search::rank() const {
  return view_.hits() && view_.current() ? analysis::rankOf(*view_.trace(), *view_.hits(), *view_.current()) : 0;
}

void Search::step(bool forward) {
  if (job_.running()) {
    stepWhenFound_ = forward;  // Enter is quicker than the search
    return;
  }
  if (!view_.hits()) return;
  const trace::Ns time = view_.visible().begin;
  if (const auto hit = analysis::nextHit(*view_.trace(), *view_.hits(), view_.current(), time, forward))
    goToEvent(view_, *hit);
}

}  // namespace lanescope::views
