// What the page shows: the sentence, its translation step by step, the maps, the switches, the
// tree of the beam. All numbers come from model.js; page.py put the content and the weights in.
"use strict";

(() => {
  const part = (id) => document.getElementById(id);
  const content = JSON.parse(part("content").textContent);
  const model = Model.load(content, part("weights").textContent.trim());
  const { BOS, EOS, UNK, changed } = Model;
  const GLOSSARY = content.glossary, HAS_GLOSSARY = Object.keys(GLOSSARY).length > 0;
  const MOST_CELLS = 2500; // of a map as a table; a larger one becomes a picture
  const DARK = matchMedia("(prefers-color-scheme: dark)");
  const full = (weight) => weight >= (DARK.matches ? 0.6 : 0.75); // it asks for the other ink

  /** The three attentions: how their blocks are named in the model, and what is said of them. */
  const KINDS = {
    encoder: {
      side: "encoder_layers", block: "self_attention", title: "Encoder", what: "self-attention",
      note: "every word looks at every word",
      text: "Self-attention in the encoder: each piece of your sentence looks at all pieces of it.",
    },
    self: {
      side: "decoder_layers", block: "self_attention", title: "Decoder", what: "self-attention",
      note: "what is being written looks back at what is written",
      text: "Self-attention in the decoder: the piece to be written next looks back at those " +
        "that are written, (start) first. What comes later is masked: nobody may look there.",
    },
    cross: {
      side: "decoder_layers", block: "cross_attention", title: "Decoder", what: "cross-attention",
      note: "what is being written looks at your sentence",
      text: "Cross-attention: the piece to be written next looks across at your sentence.",
    },
  };

  const state = {
    read: null, // tokens, ids, unknown of the sentence
    whole: null, // what the unharmed model did: maps, steps, and the ids it wrote
    shown: null, // what the model as it stands did; the same where nothing is off
    labels: null, // what stands around the tokens of the sentence and of what is shown
    off: new Set(), step: 1, word: 0, width: 4, open: null, timer: 0,
    run: 0, beam: 0, // numbers of the newest computation: an older one gives up
  };

  // ---- Small tools -------------------------------------------------------------------------

  /** Make an element with properties, attributes (in `set`), style (in `css`) and children. */
  function make(tag, { set = {}, css = {}, ...properties } = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
    for (const [name, value] of Object.entries(css)) element.style.setProperty(name, value);
    element.append(...children);
    return element;
  }

  /** Make an element of a drawing. */
  function draw(tag, set = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve));
  const percent = (share) => share > 0.9995 ? "100%" :
    share >= 0.001 ? `${(100 * share).toFixed(1)}%` : "<0.1%";
  const printed = (weight) => weight >= 0.995 ? "1.0" : weight.toFixed(2).slice(1);
  const short = (text) => [...text].length > 60 ? `${[...text].slice(0, 60).join("")}\u2026` : text;
  const language = (text) => /[\u3040-\u30ff]/u.test(text) ? "ja" :
    /\p{Script=Han}/u.test(text) ? "zh-Hans" : "";
  const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

  const shownAs = (id) => Model.shownAs(model, id);
  const isMark = (id) => id === EOS || id === BOS;

  /**
   * Say of each token what stands around it: its reading above, its place where it comes twice,
   * and the English below its group; size counts the tokens of a group, at its first one.
   */
  function describe(tokens) {
    const above = Model.readingsOf(tokens, content.readings), places = Model.places(tokens);
    const labels = tokens.map((text, i) => ({ text, reading: above[i], nth: places[i], size: 0 }));
    let start = 0;
    for (const { size, text } of Model.glossOf(tokens, state.read.tokens, GLOSSARY)) {
      labels[start].size = size;
      for (const end = start + size; start < end; start++) labels[start].english = text;
    }
    return labels;
  }

  /** Describe the last of some tokens. */
  const describeLast = (tokens) => ({ ...describe(tokens).at(-1), nth: "",
    english: Model.glossOfLast(tokens, state.read.tokens, GLOSSARY) });

  /** Make the inside of a token: its text, its reading above, its place behind. */
  function inside({ text, reading, nth }) {
    const word = reading ? make("ruby", {}, text, make("rt", { textContent: reading })) : text;
    const number = make("small", { className: "nth", textContent: nth });
    return nth ? make("span", {}, word, number) : word;
  }

  /** Make what stands below a token: English; a dot below a character that has none. */
  const below = ({ text, english }) => make("small", {
    className: "english", textContent: english || (language(text) === "zh-Hans" ? "\u00b7" : ""),
  });

  /** Name a token in a sentence of text: "saw (2)". */
  const named = ({ text, nth }) => nth ? `${text} ${nth}` : text;

  /** Name a token for those who listen, and in a tip: with its reading and its English. */
  const spoken = (label) =>
    [named(label), label.reading, label.english].filter(Boolean).join(", ");

  /** Put tokens into a line, with English below each group of them. */
  function line(labels, elements) {
    if (!labels.some(({ english }) => english)) return elements;
    const groups = [];
    labels.forEach((label, place) => {
      if (label.size) groups.push(make("span", { className: "group" },
        make("span", { className: "cells" }, ...elements.slice(place, place + label.size)),
        below(label)));
    });
    return groups;
  }

  /** Say in English, word by word, what some target tokens mean. */
  const wordByWord = (ids) => describe(ids.map(shownAs))
    .map(({ size, english }) => size ? english : "").filter(Boolean).join(" ");

  /** Turn target tokens into a sentence. */
  const sentenceOf = (ids) => Model.detokenize(ids.map((id) => model.targetTokens[id]));

  // ---- Computing ---------------------------------------------------------------------------

  /** Let the model translate, with a breath between the tokens; null if a newer run began. */
  async function compute(ids, off, mine) {
    const { memory, maps } = Model.encode(model, ids, off), steps = [];
    let last = performance.now();
    for (const step of Model.greedy(model, ids, memory, off)) {
      steps.push(step);
      if (performance.now() - last > 40) {
        await pause();
        last = performance.now();
      }
      if (mine !== state.run) return null;
    }
    const written = steps.map(({ token }) => token);
    return { memory, maps, steps, written, ids: written.filter((token) => token !== EOS) };
  }

  /** Read the sentence and translate it from the start. */
  async function translate() {
    stop();
    const mine = ++state.run;
    let read;
    try {
      read = Model.read(model, part("sentence").value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      part("shown").hidden = true;
      part("said").textContent = error.message;
      return;
    }
    const unknown = [...new Set(read.unknown)].map((token) => `\u201c${token}\u201d`);
    const them = unknown.length > 1 ? "each of them" : "it";
    part("said").textContent = unknown.length ? `The model never saw ${unknown.join(", ")}: ` +
      `it reads ${them} as ${shownAs(UNK)}.` : "";
    const whole = await compute(read.ids, new Set(), mine);
    const shown = whole && state.off.size ? await compute(read.ids, state.off, mine) : whole;
    if (!shown) return;
    Object.assign(state, { read, whole, shown, word: 0, step: 1 });
    state.open ??= sharpest(shown);
    part("shown").hidden = false;
    showAll();
  }

  /** Translate again with the parts as they are switched. */
  async function recompute() {
    stop();
    const mine = ++state.run;
    const shown = state.off.size ? await compute(state.read.ids, state.off, mine) : state.whole;
    if (!shown) return;
    Object.assign(state, { shown, step: Math.min(state.step, shown.steps.length) });
    showAll();
  }

  /** Choose the head to begin with: the cross-attention that points at most different words. */
  function sharpest({ steps }) {
    const heads = steps[0].cross.flatMap((layer, number) =>
      layer.map((_, head) => ({ kind: "cross", layer: number, head })));
    const score = ({ layer, head }) => {
      const rows = steps.map((step) => step.cross[layer][head]);
      const tops = rows.map((row) => Math.max(...row));
      return new Set(rows.map((row, i) => row.indexOf(tops[i]))).size +
        tops.reduce((sum, top) => sum + top, 0) / rows.length;
    };
    return heads.reduce((one, other) => score(other) > score(one) ? other : one);
  }

  // ---- The sentence and its translation ----------------------------------------------------

  function showAll() {
    const written = describe(state.shown.written.map(shownAs));
    state.labels = { source: describe(state.read.tokens), written };
    showHarm();
    showSource();
    showWhole();
    announce();
    showStep();
    showModel();
    showBeam();
  }

  /** Show everything that depends on the step. */
  function showStep() {
    showTranslation();
    showPlayer();
    showBest();
    showMap();
    markRows();
  }

  /** Say whether parts are off, wherever on the page the reader is. */
  function showHarm() {
    const { off, shown, whole } = state, count = many(off.size, "part");
    part("result-title").textContent = off.size ?
      `The translation of a damaged model: ${count} off` : "The translation";
    part("result-title").classList.toggle("alarm", off.size > 0);
    part("harm").hidden = part("all-on").disabled = !off.size;
    document.body.classList.toggle("harmed", off.size > 0);
    part("off-count").textContent = `${count} ${off.size === 1 ? "is" : "are"} off.`;
    const [now, before] = [shown.ids, whole.ids].map(sentenceOf);
    const said = (ids) => [make("b", { textContent: short(sentenceOf(ids)) || "nothing",
      lang: language(sentenceOf(ids)) }), HAS_GLOSSARY ? ` (${short(wordByWord(ids))})` : ""];
    part("off-text").replaceChildren(" You see the translation of a damaged model: ",
      ...said(shown.ids), ...now === before ? [", the same as with everything on."] :
        [" instead of ", ...said(whole.ids), "."]);
  }

  function showSource() {
    const { tokens, unknown } = state.read, labels = state.labels.source;
    const missing = new Set(unknown), lowered = /\p{Lu}/u.test(part("sentence").value);
    part("reads").textContent = `It reads${lowered ? ", in lower case," : ""}`;
    part("source").lang = language(tokens.join(""));
    part("source").replaceChildren(...line(labels, labels.map((label, place) => {
      const strange = missing.has(label.text);
      const button = make("button", {
        type: "button", className: `token ${strange ? "unknown" : ""}`,
        title: strange ? `never seen: read as ${shownAs(UNK)}` :
          "show what this word looks at in the encoder",
      }, inside(label));
      if (strange) button.setAttribute("aria-label", `${spoken(label)}, unknown`);
      button.onclick = () => {
        state.word = place;
        if (state.open.kind !== "encoder") open({ kind: "encoder", layer: 0, head: 0 });
        else showStep();
      };
      return button;
    })));
  }

  function showTranslation() {
    const { written, ids } = state.shown, labels = state.labels.written;
    const marks = changed(ids, state.whole.ids), box = part("translation");
    const gaps = Model.gaps(ids.map(shownAs)), old = [...box.querySelectorAll(".token")];
    const focused = old.indexOf(document.activeElement);
    box.lang = language(ids.map(shownAs).join(""));
    box.classList.toggle("spaced", gaps.includes(" "));
    box.classList.toggle("playing", state.timer > 0);
    const tokens = written.map((id, place) => {
      const step = place + 1, names = ["token"];
      if (step === state.step) names.push("now");
      if (step > state.step) names.push("later");
      if (isMark(id)) names.push("mark");
      if (marks[place] && !isMark(id)) names.push("changed");
      const label = spoken(labels[place]) + (names.includes("changed") ? ", changed" : "");
      const button = make("button", { type: "button", className: names.join(" "),
        set: { "aria-label": label, "aria-pressed": step === state.step } }, inside(labels[place]));
      button.onclick = () => go(step);
      return button;
    });
    box.replaceChildren(...line(labels, tokens));
    if (focused >= 0) tokens[Math.min(focused, written.length - 1)].focus();
  }

  /** Show the unharmed translation where something is off. */
  function showWhole() {
    const { ids } = state.whole, labels = describe(ids.map(shownAs));
    const gone = changed(ids, state.shown.ids), text = sentenceOf(ids);
    part("whole").hidden = !state.off.size;
    part("whole-tokens").lang = language(text);
    part("whole-tokens").classList.toggle("spaced", text.includes(" "));
    part("whole-tokens").replaceChildren(...line(labels, labels.map((label, place) =>
      make("span", { className: `token ${gone[place] ? "changed" : ""}` }, inside(label)))));
  }

  /** Explain what stands around the tokens, as far as there is any of it. */
  function showLegend() {
    const above = Object.keys(content.readings).length > 0;
    part("legend").textContent = "A piece (a token) is a word, a Chinese character or a " +
      "punctuation mark." + (above ? " Above a character: how it is read." : "") +
      (HAS_GLOSSARY ? " Below: a word for it, \u00b7 where there is none." : "") +
      " A number tells equal pieces apart: (2) is the second of the sentence. (end): it is done.";
  }

  /** Say the result to those who listen. */
  function announce() {
    const same = sentenceOf(state.shown.ids) === sentenceOf(state.whole.ids);
    const harm = state.off.size ? ` of a damaged model, ${many(state.off.size, "part")} off, ` +
      `${same ? "the same as" : "not the same as"} with everything on` : "";
    const text = sentenceOf(state.shown.ids) || "nothing", english = wordByWord(state.shown.ids);
    part("live").textContent = `Translation${harm}: ${text}${english && `, ${english}`}`;
  }

  // ---- The player --------------------------------------------------------------------------

  function stop() {
    clearInterval(state.timer);
    state.timer = 0;
    part("play").textContent = "Play";
    part("translation").classList.remove("playing");
  }

  /** Walk through the steps from the beginning, or on from where the reader stands. */
  function play() {
    const last = state.shown.steps.length;
    state.timer = setInterval(() => {
      if (state.step >= last) stop();
      else go(state.step + 1, false);
    }, 800);
    part("play").textContent = "Pause";
    go(state.step === last ? 1 : state.step, false);
  }

  function go(step, byHand = true) {
    if (byHand) stop();
    state.step = Math.max(1, Math.min(step, state.shown.steps.length));
    showStep();
  }

  function showPlayer() {
    const { written } = state.shown, slider = part("step");
    const writes = spoken(state.labels.written[state.step - 1]);
    const text = `Step ${state.step} of ${written.length}: it writes ${writes}`;
    slider.max = written.length;
    slider.value = state.step;
    slider.setAttribute("aria-valuetext", text);
    part("step-text").textContent = text;
    part("back").disabled = state.step === 1;
    part("next").disabled = state.step === written.length;
  }

  function showBest() {
    const { steps, written } = state.shown, { scores, token } = steps[state.step - 1];
    const before = sentenceOf(written.slice(0, state.step - 1));
    const texts = written.slice(0, state.step - 1).map(shownAs);
    part("best-text").textContent = before ? `What could come after \u201c${before}\u201d?` :
      "What could come first?";
    part("best").tBodies[0].replaceChildren(...Model.best(scores, 5).map((id) => {
      const share = Math.exp(scores[id]), text = shownAs(id);
      const label = describeLast([...texts, text]);
      return make("tr", { className: id === token ? "chosen" : "" },
        make("th", { scope: "row", lang: language(text) }, inside(label)),
        make("td", {}, below(label)),
        make("td", { className: "bar" }, make("i", { css: { width: `${100 * share}%` } })),
        make("td", { className: "share", textContent: percent(share) }));
    }));
  }

  // ---- The large map -----------------------------------------------------------------------

  /** Collect a map: its rows of weights, and the tokens that ask and answer. */
  function mapOf({ kind, layer, head }) {
    const { source, written } = state.labels;
    const rows = kind === "encoder" ? state.shown.maps[layer][head] :
      state.shown.steps.map((step) => step[kind][layer][head]);
    const queries = kind === "encoder" ? source : written;
    const start = { text: shownAs(BOS), english: "", nth: "" };
    const keys = kind === "self" ? [start, ...written.slice(0, -1)] : source;
    return { rows, queries, keys, row: kind === "encoder" ? state.word : state.step - 1 };
  }

  const nameOf = ({ kind, layer, head }) =>
    `${KINDS[kind].side}.${layer}.${KINDS[kind].block}.${head}`;
  const titleOf = ({ kind, layer, head }) =>
    `${KINDS[kind].title} layer ${layer + 1}, ${KINDS[kind].what}, head ${head + 1}`;
  const blockOf = (name) => name.replace(/\.\d+$/, "");
  const isOff = (open) => state.off.has(nameOf(open)) || state.off.has(blockOf(nameOf(open)));

  /** Show another head in the large map. */
  function open(which) {
    state.open = which;
    for (const thumb of document.querySelectorAll(".thumb")) {
      thumb.setAttribute("aria-pressed", thumb.dataset.name === nameOf(which));
    }
    showStep();
    if (matchMedia("(max-width: 899px)").matches) part("large").scrollIntoView();
  }

  function showMap() {
    const { rows, queries, keys, row } = mapOf(state.open), { kind } = state.open;
    part("map-title").textContent = titleOf(state.open) + (isOff(state.open) ? " (off)" : "");
    part("map-text").textContent = KINDS[kind].text;
    part("masked").hidden = kind !== "self";
    const does = kind === "encoder" ? "Reading" : "Writing";
    part("takes").replaceChildren(
      make("p", {}, `${does} `, make("b", { className: "query", textContent: named(queries[row]) }),
        queries[row].english ? ` (${queries[row].english})` : "", ", this head looks at:"),
      make("div", { className: "tokens" }, ...keys.slice(0, rows[row].length).map((key, place) => {
        const weight = rows[row][place], share = weight >= 0.005 ? ` ${printed(weight)}` : "";
        return make("span", {
          className: `token ${full(weight) ? "dark" : ""}`, lang: language(key.text),
          css: { "--weight": weight }, title: spoken(key),
        }, inside(key), make("small", { textContent: share }));
      })));
    const large = rows.length * keys.length > MOST_CELLS;
    part("map").replaceChildren(large ? mapAsPicture(rows, keys) :
      mapAsTable(rows, queries, keys, row));
  }

  function mapAsPicture(rows, keys) {
    const canvas = make("canvas", { className: "big-map", set: { role: "img" } });
    canvas.setAttribute("aria-label", `a map of ${rows.length} times ${keys.length} cells`);
    paint(canvas, rows, keys.length);
    return canvas;
  }

  function mapAsTable(rows, queries, keys, row) {
    const most = Math.max(rows.length, keys.length);
    const size = most <= 9 ? 42 : most <= 12 ? 36 : most <= 18 ? 28 : 20;
    const head = make("tr", {}, make("td", { className: "corner" }), ...keys.map((key) => {
      const name = named(key), tall = !language(name) && name.length * 9 > size + 8;
      return make("th", { scope: "col", lang: language(key.text), className: tall ? "tall" : "",
        title: spoken(key) }, make("span", {}, inside({ ...key, reading: "" })),
      ...key.english ? [make("small", { className: key.english.length > 2 ? "upright" : "",
        textContent: key.english })] : []);
    }));
    const body = rows.map((weights, place) => {
      const query = queries[place], english = make("small", { textContent: query.english });
      const pick = make("button", { type: "button", title: spoken(query),
        set: { "aria-pressed": place === row } }, english, " ", inside({ ...query, reading: "" }));
      pick.onclick = () => chooseRow(place);
      const cells = keys.map((key, column) => cellOf(weights[column], query, key, size));
      const line = make("tr", { className: place === row ? "now" : "" },
        make("th", { scope: "row", lang: language(query.text) }, pick), ...cells);
      line.onclick = () => chooseRow(place);
      return line;
    });
    return make("table", { className: "map", css: { "--cell": `${size}px` } },
      make("thead", {}, head), make("tbody", {}, ...body));
  }

  function cellOf(weight, query, key, size) {
    if (weight === undefined) {
      return make("td", { className: "masked", title: `${named(query)} may not look at ` +
        `${named(key)}, which is not written yet` });
    }
    const text = printed(weight), seen = size >= 28 && weight >= 0.05;
    return make("td", {
      className: full(weight) ? "dark" : "", css: { "--weight": weight.toFixed(3) },
      title: `${named(query)} takes ${weight.toFixed(3)} from ${named(key)}`,
    }, seen ? text : make("span", { className: "hidden", textContent: text }));
  }

  /** Choose a row of the large map: a step of the decoder, or a word of the sentence. */
  function chooseRow(place) {
    const had = part("map").contains(document.activeElement);
    if (state.open.kind === "encoder") {
      state.word = place;
      showStep();
    } else {
      go(place + 1);
    }
    if (had) part("map").querySelectorAll("tbody button")[place]?.focus();
  }

  // ---- The whole model, with its switches ---------------------------------------------------

  /** Paint weights into a canvas, a dot for each; what is masked stays empty. */
  function paint(canvas, rows, width) {
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    Object.assign(canvas, { width, height: rows.length });
    canvas.classList.toggle("fine", width > 50 || rows.length > 50);
    const context = canvas.getContext("2d");
    rows.forEach((weights, y) => weights.forEach((weight, x) => {
      context.fillStyle = `rgb(${accent} / ${weight.toFixed(3)})`;
      context.fillRect(x, y, 1, 1);
    }));
  }

  /** Build the boxes of all layers once. */
  function buildModel() {
    const layers = (side, ...blocks) => Array.from({ length: model.nLayers }, (_, number) =>
      make("div", { className: "layer" },
        make("h3", { textContent: `${side} layer ${number + 1}` }),
        ...blocks.map((kind) => attentionBox(kind, number)), feedForwardBox(side, number)));
    part("model-parts").append(...layers("Encoder", "encoder"),
      ...layers("Decoder", "self", "cross"));
  }

  /** Make the box that switches something off. */
  function switchOf(name, text, label) {
    const box = make("input", { type: "checkbox", checked: true, autocomplete: "off" });
    box.setAttribute("aria-label", `${label} on`);
    box.onchange = () => {
      if (box.checked) state.off.delete(name);
      else state.off.add(name);
      recompute();
    };
    box.dataset.off = name;
    return make("label", {}, box, ` ${text}`);
  }

  function attentionBox(kind, layer) {
    const { side, block, title, what, note } = KINDS[kind], name = `${side}.${layer}.${block}`;
    const capital = what[0].toUpperCase() + what.slice(1);
    const heads = Array.from({ length: model.nHeads }, (_, head) => {
      const which = { kind, layer, head }, label = titleOf(which);
      const thumb = make("button", { type: "button", className: "thumb", title: label },
        make("canvas", { set: { "aria-hidden": "true" } }));
      thumb.setAttribute("aria-label", `${label}: show its map`);
      thumb.dataset.name = nameOf(which);
      thumb.onclick = () => open(which);
      thumb.which = which;
      return make("div", { className: "head", set: { "data-part": nameOf(which) } }, thumb,
        switchOf(nameOf(which), String(head + 1), label));
    });
    return make("div", { className: "block", set: { "data-part": name } },
      switchOf(name, capital, `${title} layer ${layer + 1}, ${what}`),
      make("span", { className: "note", textContent: `  ${note}` }),
      make("div", { className: "heads" }, ...heads));
  }

  function feedForwardBox(side, layer) {
    const name = `${side.toLowerCase()}_layers.${layer}.feed_forward`;
    return make("div", { className: "block", set: { "data-part": name } },
      switchOf(name, "Feed-forward", `${side} layer ${layer + 1}, feed-forward`),
      make("span", { className: "note", textContent: "  each piece by itself" }));
  }

  function showModel() {
    for (const thumb of document.querySelectorAll(".thumb")) {
      const { rows, keys } = mapOf(thumb.which);
      paint(thumb.firstChild, rows, keys.length);
      thumb.style.setProperty("--rows", rows.length);
      thumb.setAttribute("aria-pressed", thumb.dataset.name === nameOf(state.open));
    }
    for (const box of document.querySelectorAll("[data-part]")) {
      box.classList.toggle("off", state.off.has(box.dataset.part));
    }
    markRows();
  }

  /** Mark in each small map the row of the current step, or of the chosen word. */
  function markRows() {
    for (const thumb of document.querySelectorAll(".thumb")) {
      const row = thumb.which.kind === "encoder" ? state.word : state.step - 1;
      thumb.style.setProperty("--row", row);
    }
  }

  // ---- The beam ----------------------------------------------------------------------------

  /** Search with the chosen width: columns of the tree, finished translations; null if outdated. */
  async function search(mine) {
    const { read: { ids }, shown, width, off } = state, columns = [];
    await pause(); // all else is shown first
    if (width === 1) return greedyAsBeam(shown);
    const going = Model.beam(model, ids, shown.memory, width, new Set(off));
    let last = performance.now();
    while (mine === state.beam) {
      const { done, value } = going.next();
      if (done) return { columns, finished: value };
      columns.push(value);
      if (performance.now() - last > 40) {
        await pause();
        last = performance.now();
      }
    }
    return null;
  }

  /** Write greedy decoding as a beam of one, with the next best beside each token. */
  function greedyAsBeam({ steps, ids }) {
    let total = 0, parent = 0;
    const columns = steps.map(({ scores, token }, number) => {
      const nodes = Model.best(scores, 3).map((id) => ({
        token: id, logProb: total + scores[id], parent,
        kind: id !== token ? "dropped" : number + 1 < steps.length ? "kept" : "finished",
      }));
      parent = 0;
      total += scores[token];
      return nodes;
    });
    const column = steps.length - 1;
    return { columns, finished: [{ ids, score: total / steps.length, column, place: 0 }] };
  }

  async function showBeam() {
    const found = await search(++state.beam);
    if (!found) return;
    const { columns, finished } = found, [best] = finished, won = new Set();
    for (let column = best.column, place = best.place; column >= 0; column--) {
      won.add(columns[column][place]);
      place = columns[column][place].parent;
    }
    drawTree(columns, won);
    part("finished").tBodies[0].replaceChildren(...finished.slice(0, 8).map(({ ids, score }) => {
      const text = sentenceOf(ids) || "(nothing)", english = HAS_GLOSSARY ? wordByWord(ids) : "";
      return make("tr", {}, make("td", {},
        make("span", { textContent: text, lang: language(text) }),
        make("small", { className: "english", textContent: english })),
      make("td", { className: "share", textContent: score.toFixed(3) }),
      make("td", { className: "share", textContent: percent(Math.exp(score)) }));
    }));
    part("tree").setAttribute("aria-label", `The tree of a beam of ${state.width}: ` +
      `${columns.length} steps, the best sentence is ${sentenceOf(best.ids)}`);
  }

  /** Describe each node of the tree, in the sentence that it continues. */
  function labelsOf(columns) {
    let before = [[]];
    return columns.map((column) => {
      const texts = column.map(({ token, parent }) =>
        [...before[parent].slice(-8), shownAs(token)]);
      before = texts;
      return texts.map(describeLast);
    });
  }

  function drawTree(columns, won) {
    const labels = labelsOf(columns), width = (text, each) => [...text].length * each;
    const widest = Math.max(...labels.flat().map(({ text, english }) =>
      Math.max(width(text, language(text) ? 16 : 9), width(english, 6.5))));
    const wide = Math.max(46, widest + 14), step = wide + 40, tall = HAS_GLOSSARY ? 54 : 40;
    const x = (column) => 8 + column * step, y = (place) => 8 + place * (tall + 12);
    const links = [], nodes = [], told = [];
    const some = columns.map((column) => { // of what was dropped only the best two
      const dropped = column.filter(({ kind }) => kind === "dropped").slice(2);
      return [...column.entries()].filter(([, node]) => !dropped.includes(node));
    });
    some.forEach((entries, column) => entries.forEach(([place, node]) => {
      const name = `${node.kind} ${won.has(node) ? "won" : ""}`, middle = y(place) + tall / 2;
      if (column) {
        const from = x(column) - step + wide, height = y(node.parent) + tall / 2, half = from + 20;
        const curve = `C${half} ${height} ${half} ${middle} ${x(column)} ${middle}`;
        links.push(draw("path", { class: name, d: `M${from} ${height}${curve}` }));
      }
      const label = labels[column][place], share = percent(Math.exp(node.logProb));
      const write = (text, down, set = {}) =>
        draw("text", { x: x(column) + wide / 2, y: y(place) + down, ...set }, text);
      const tip = `step ${column + 1}: ${spoken(label)}, ${node.kind}, ${share}`;
      told.push(make("li", { textContent: tip + (won.has(node) ? ", best" : "") }));
      nodes.push(draw("g", { class: name }, draw("title", {}, tip),
        draw("rect", { x: x(column), y: y(place), width: wide, height: tall, rx: 7 }),
        write(label.text, 14, { lang: language(label.text) }),
        ...HAS_GLOSSARY ? [write(label.english, 30, { class: "share" })] : [],
        write(share, tall - 9, { class: "share" })));
    }));
    links.sort((one, other) => one.matches(".won") - other.matches(".won"));
    const last = Math.max(...some.map((entries) => entries.at(-1)[0]));
    const sizes = { width: x(columns.length) - 32, height: y(last) + tall + 8 };
    for (const [name, value] of Object.entries(sizes)) part("tree").setAttribute(name, value);
    part("tree").replaceChildren(...links, ...nodes);
    part("tree-text").replaceChildren(...told);
  }

  // ---- What stands still, and what the reader does ------------------------------------------

  function showVocabulary() {
    const words = model.sourceTokens.slice(4);
    const summary = part("vocabulary").firstElementChild;
    summary.textContent = `The ${words.length} words that it knows`;
    part("vocabulary").ontoggle = () => {
      if (part("words").childElementCount) return;
      part("words").append(...words.map((word) => {
        const button = make("button", { type: "button", textContent: word, lang: language(word) });
        button.onclick = () => {
          const box = part("sentence");
          box.value = Model.detokenize([...Model.tokenize(box.value), word]);
          translate();
        };
        return button;
      }));
    };
  }

  function showExamples() {
    part("examples").append(...content.examples.map((text) => {
      const button = make("button", { type: "button", textContent: text, lang: language(text) });
      button.onclick = () => {
        part("sentence").value = text;
        translate();
      };
      return button;
    }));
    part("examples").hidden = !content.examples.length;
    part("vocabulary").open = !content.examples.length; // what else could one type?
  }

  function showAbout() {
    const { steps, of_steps, seed, corpus, fingerprint, accuracy } = content.about;
    const { d_model, n_heads, n_layers, d_ff, source_size, target_size } = content.sizes;
    const trained = steps === undefined ? "" : "This page belongs to the checkpoint beside it: " +
      `step ${steps} of ${of_steps}, seed ${seed}, ${percent(accuracy)} of the validation ` +
      "tokens right. ";
    const names = [corpus, fingerprint].filter(Boolean).join(", ");
    const data = names ? `Corpus: ${names}. ` : "";
    part("about").textContent = `${trained}${data}${many(n_layers, "layer")} each, ` +
      `${many(n_heads, "head")}, d_model ${d_model}, d_ff ${d_ff}; ${source_size} source and ` +
      `${target_size} target tokens. The weights are rounded to half precision. Everything is ` +
      "computed on this page, and nothing leaves it.";
    if (steps !== undefined) document.title += ` (${steps} steps, seed ${seed})`;
  }

  part("ask").onsubmit = (event) => {
    event.preventDefault();
    translate();
  };
  part("back").onclick = () => go(state.step - 1);
  part("next").onclick = () => go(state.step + 1);
  part("play").onclick = () => state.timer ? stop() : play();
  part("step").oninput = () => go(Number(part("step").value));
  part("all-on").onclick = () => {
    state.off.clear();
    for (const box of document.querySelectorAll("[data-off]")) box.checked = true;
    part("result-title").focus({ preventScroll: true }); // this button is about to go
    recompute();
  };
  part("width").oninput = () => {
    state.width = Number(part("width").value);
    part("width-text").textContent = state.width === 1 ? "1 (this is greedy)" : state.width;
    showBeam();
  };
  DARK.addEventListener("change", () => {
    if (state.shown) showAll();
  });

  buildModel();
  showVocabulary();
  showLegend();
  showAbout();
  showExamples();
  if (content.examples.length) {
    part("sentence").value = content.examples[0];
    translate();
  } else {
    part("sentence").focus();
  }
})();
