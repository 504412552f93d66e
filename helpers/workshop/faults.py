"""The chosen faults: mistakes that people make, each a change of a function's syntax tree."""

from helpers.workshop.patterns import Fault


def _in(where: str, *faults: tuple) -> list[Fault]:
    """Give each fault (name, left, right, perhaps the occurrence) the place that they share."""
    return [Fault(name, where, *change) for name, *change in faults]


FAULTS: list[Fault] = [
    # ---------------------------------------------------------------- the model
    *_in(
        "helpers/attention.py:scaled_dot_product_attention",
        ("no scale", "$SCORES / math.sqrt($ARG2.size(-1))", "$SCORES"),
        (
            "scale after the softmax",
            "return $WEIGHTS @ $V, $WEIGHTS",
            "return $WEIGHTS @ $V / math.sqrt($ARG2.size(-1)), $WEIGHTS",
        ),
        (
            "scale by the width of the values",
            "math.sqrt($ARG2.size(-1))",
            "math.sqrt($ARG3.size(-1))",
        ),
        ("scale by d_k, not its root", "math.sqrt($ARG2.size(-1))", "$ARG2.size(-1)"),
        (
            "softmax over the queries",
            "torch.softmax($SCORES.masked_fill(*$REST), dim=-1)",
            "torch.softmax($SCORES.masked_fill(*$REST), dim=-2)",
        ),
        (
            "softmax over the queries, no mask",
            "torch.softmax($SCORES, dim=-1)",
            "torch.softmax($SCORES, dim=-2)",
            1,
        ),
        (
            "mask inverted",
            "$SCORES.masked_fill(~$KEEP, -math.inf)",
            "$SCORES.masked_fill($KEEP, -math.inf)",
        ),
        (
            "mask of 0 instead of -inf",
            "$SCORES.masked_fill(~$KEEP, -math.inf)",
            "$SCORES.masked_fill(~$KEEP, 0.0)",
        ),
        ("empty row left NaN", "$WEIGHTS = $WEIGHTS.masked_fill(~$KEEP, 0.0)", ""),
        ("keys not turned", "$Q @ $K.transpose(-2, -1)", "$K @ $Q.transpose(-2, -1)"),
    ),
    *_in(
        "helpers/attention.py:head_width",
        ("heads of uneven width", "$HEADS < 1 or $WIDTH % $LEAST", "$HEADS < 1"),
    ),
    *_in(
        "helpers/attention.py:MultiHeadAttention.split_heads",
        (
            "view without transpose",
            "$X.view($BATCH, $T, self.n_heads, self.d_head).transpose(1, 2)",
            "$X.reshape($BATCH, self.n_heads, $T, self.d_head)",
        ),
    ),
    *_in(
        "helpers/attention.py:MultiHeadAttention.forward",
        (
            "scale by the root of d_model",
            "self.split_heads(self.query($ARG1))",
            "self.split_heads(self.query($ARG1)) / math.sqrt(self.n_heads)",
        ),
        (
            "heads joined without transpose",
            "$CONTEXT.transpose(1, 2).flatten(2)",
            "$CONTEXT.reshape($CONTEXT.size(0), $CONTEXT.size(2), -1)",
        ),
        ("query and key exchanged", "self.query($ARG1)", "self.key($ARG1)"),
        ("keys used as values", "self.value($ARG2)", "self.key($ARG2)"),
        ("cross-attention reads the target", "self.key($ARG2)", "self.key($ARG1)"),
        (
            "heads share one projection",
            "$CONTEXT.transpose(1, 2)",
            "$CONTEXT[:, :1].expand_as($CONTEXT).transpose(1, 2)",
        ),
        ("output layer left out", "self.output($CONTEXT)", "$CONTEXT"),
        (
            "mask lost in the fused kernel",
            "F.scaled_dot_product_attention(*$QKV, attn_mask=$KEEP)",
            "F.scaled_dot_product_attention(*$QKV)",
        ),
        (
            "cross cache filled again and again",
            "$CACHE is not None and $CACHE.fixed and $CACHE.k is not None",
            "False",
        ),
        (
            "mask lost where it is watched",
            "scaled_dot_product_attention($Q, $K, $V, $ARG3)",
            "scaled_dot_product_attention($Q, $K, $V)",
        ),
        (
            "watching collects the context",
            "$CONTEXT, $WEIGHTS = $BOTH\nself.seen.append($WEIGHTS)",
            "$CONTEXT, $WEIGHTS = $BOTH\nself.seen.append($CONTEXT)",
        ),
        (
            "watching keeps the last call only",
            "self.seen.append($WEIGHTS)",
            "self.seen[:] = [$WEIGHTS]",
        ),
    ),
    *_in(
        "helpers/attention.py:KeyValueCache.extend",
        ("cache not advanced", "self.k = $NEW if $EMPTY else $BOTH", "self.k = $NEW"),
        (
            "cache grows in front",
            "torch.cat([self.v, $V], dim=2)",
            "torch.cat([$V, self.v], dim=2)",
        ),
    ),
    *_in(
        "helpers/attention.py:KeyValueCache.select",
        ("cache not shared out to the rows", "self.k, self.v = $BOTH", ""),
    ),
    *_in(
        "helpers/attention.py:watching",
        ("watching leaves the blocks watched", "$BLOCK.seen = None", ""),
        (
            "watching goes on after an error",
            "try:\n    *$BODY\nfinally:\n    *$END",
            "*$BODY\n*$END",
        ),
    ),
    *_in(
        "helpers/masks.py:causal_keep",
        ("triu for tril", "$ONES.tril($SHIFT)", "$ONES.triu($SHIFT)"),
        ("a token does not see itself", "$ONES.tril($SHIFT)", "$ONES.tril($SHIFT - 1)"),
        ("mask without the cached keys", "$ONES.tril($SHIFT)", "$ONES.tril()"),
    ),
    *_in(
        "helpers/masks.py:padding_keep",
        ("padding inverted", "$IDS != $PAD", "$IDS == $PAD"),
        ("queries hidden, not keys", "$REAL[:, None, None, :]", "$REAL[:, None, :, None]"),
    ),
    *_in(
        "helpers/transformer.py:sinusoidal_positions",
        (
            "sin and cos exchanged",
            "[$ANGLES.sin(), $ANGLES.cos()]",
            "[$ANGLES.cos(), $ANGLES.sin()]",
        ),
        (
            "positions not interleaved",
            "torch.stack($BOTH, dim=-1).flatten(1)",
            "torch.cat($BOTH, dim=-1)",
        ),
        (
            "positions from 1",
            "torch.arange($T, dtype=$TYPE)",
            "torch.arange(1, $T + 1, dtype=$TYPE)",
        ),
    ),
    *_in(
        "helpers/transformer.py:EncoderLayer.forward",
        (
            "no residual around attention",
            "$X + self.dropout(self.self_attention(*$REST))",
            "self.dropout(self.self_attention(*$REST))",
        ),
        ("no norm before self-attention", "self.norm_self($X)", "$X"),
        ("no norm before feed-forward", "self.norm_ff($X)", "$X"),
    ),
    *_in(
        "helpers/transformer.py:DecoderLayer.forward",
        ("no norm before cross-attention", "self.norm_cross($X)", "$X"),
        (
            "no dropout behind cross-attention",
            "self.dropout(self.cross_attention(*$REST))",
            "self.cross_attention(*$REST)",
        ),
        (
            "cross-attention mask transposed",
            "self.cross_attention($X, $MEMORY, $ARG4, $CACHE)",
            "self.cross_attention($X, $MEMORY, None if $ARG4 is None else $ARG4.mT, $CACHE)",
        ),
    ),
    *_in(
        "helpers/transformer.py:DecoderState.__init__",
        ("cache shared between layers", "[$PAIR for $I in range($N)]", "[$PAIR] * $N"),
    ),
    *_in(
        "helpers/transformer.py:DecoderState.select",
        ("cross cache keeps the old rows", "$CROSS.select($ROWS)", "", 2),
    ),
    *_in(
        "helpers/transformer.py:Transformer.__init__",
        (
            "list instead of ModuleList",
            "self.encoder_layers = nn.ModuleList($LAYERS)",
            "self.encoder_layers = list($LAYERS)",
        ),
        (
            "one layer used again and again",
            "nn.ModuleList(DecoderLayer(*$SIZES) for $I in range($N))",
            "nn.ModuleList([DecoderLayer(*$SIZES)] * $N)",
        ),
        ("another share of dropout", "nn.Dropout($SHARE)", "nn.Dropout(0.1)"),
    ),
    *_in(
        "helpers/transformer.py:Transformer.embed",
        (
            "position off by one with a cache",
            "self.positions[$START:$END]",
            "self.positions[max(0, $START - 1) : $END - min(1, $START)]",
        ),
        ("embeddings not scaled", "$VECTORS * math.sqrt(self.d_model)", "$VECTORS"),
        ("no dropout behind the embedding", "self.dropout($SUM)", "$SUM"),
    ),
    *_in(
        "helpers/transformer.py:Transformer.encode",
        ("pads not masked in the encoder", "self.source_keep($ARG1)", "None"),
        ("last norm left out", "self.encoder_norm($X)", "$X"),
    ),
    *_in(
        "helpers/transformer.py:Transformer.decode",
        ("no causal mask", "$KEEP if $T > 1 else None", "None"),
        (
            "output layer not tied",
            "$X @ self.target_embedding.weight.T",
            "$X @ self.target_embedding.weight.T.flip(1)",
        ),
        ("decoder counts no tokens", "$STATE.t_done += $T", ""),
        ("every layer has the first layer's cache", "$STATE.caches[$NUMBER]", "$STATE.caches[0]"),
    ),
    *_in(
        "helpers/transformer.py:Transformer.forward",
        ("target mask used for the source", "self.source_keep($ARG1)", "self.source_keep($ARG2)"),
        ("the decoder sees pads of the source", "self.source_keep($ARG1)", "None"),
    ),
    *_in(
        "helpers/transformer.py:_initialize",
        ("queries, keys and values drawn too wide", "0.5**0.5 if $STACKED else 1.0", "1.0"),
        (
            "embeddings drawn too wide",
            "nn.init.normal_($WEIGHT, std=$WIDTH)",
            "nn.init.normal_($WEIGHT)",
        ),
    ),
    *_in(
        "helpers/transformer.py:evaluating",
        ("dropout left on while evaluating", "$MODEL.eval()", ""),
        ("dropout not switched on again", "$MODEL.train($BEFORE)", ""),
        ("gradients while evaluating", "with torch.inference_mode():\n    *$BODY", "*$BODY"),
    ),
    # ---------------------------------------------------------------- text
    *_in(
        "helpers/text.py:tokenize",
        ("two kinds of apostrophes", r'$TEXT.replace("\u2019", $PLAIN)', "$TEXT"),
    ),
    *_in(
        "helpers/text.py:_glued",
        ("a space before a mark", "$TOKEN in _NO_SPACE_BEFORE", "False"),
    ),
    *_in(
        "helpers/text.py:Vocabulary.from_counts",
        ("special tokens counted twice", "$KNOWN[: $SIZE - len(SPECIALS)]", "$KNOWN[:$SIZE]"),
        ("max_size not obeyed", "$KNOWN[: $SIZE - len(SPECIALS)]", "$KNOWN"),
        ("min_count is not enough", "$COUNT >= $ARG2", "$COUNT > $ARG2"),
        (
            "ties in the order of the file",
            "lambda $T: (-$COUNTS[$T], $T)",
            "lambda $T: -$COUNTS[$T]",
        ),
    ),
    *_in(
        "helpers/text.py:Vocabulary.encode",
        (
            "unknown words dropped",
            "[self.ids.get($TOKEN, UNK) for $TOKEN in $TOKENS]",
            "[self.ids[$TOKEN] for $TOKEN in $TOKENS if $TOKEN in self.ids]",
        ),
    ),
    *_in(
        "helpers/text.py:Vocabulary.decode",
        ("end of sentence ignored", "if $NUMBER == EOS:\n    break", ""),
        ("the beginning is part of the text", "$NUMBER not in (PAD, BOS)", "$NUMBER != PAD"),
    ),
    *_in(
        "helpers/pairs.py:Pair.__post_init__",
        ("the target in lower case, too", "tokenize($TEXT, lowercase=False)", "tokenize($TEXT)"),
    ),
    *_in(
        "helpers/pairs.py:Pairs.append",
        (
            "tokens kept of the wrong side",
            '" ".join($PAIR.source_tokens), " ".join($PAIR.target_tokens)',
            '" ".join($PAIR.target_tokens), " ".join($PAIR.source_tokens)',
        ),
    ),
    *_in(
        "helpers/pairs.py:_read_links",
        ("any third column taken for links", "_LINKS.fullmatch($TEXT)", "$TEXT"),
    ),
    *_in(
        "helpers/pairs.py:read_pairs",
        ("lines counted from 0", "enumerate($LINES, 1)", "enumerate($LINES)"),
    ),
    *_in(
        "helpers/pairs.py:read_line",
        ("blank lines not skipped", "$PAIR if $TEXT.strip() else None", "$PAIR"),
    ),
    *_in(
        "helpers/pairs.py:_read_bytes",
        ("the mark of byte order is read", "$CONTENT.removeprefix($MARK)", "$CONTENT"),
    ),
    *_in(
        "helpers/pairs.py:_parse",
        (
            "source and target exchanged",
            "Pair($SOURCE, $TARGET, $LINKS, $NAME)",
            "Pair($TARGET, $SOURCE, $LINKS, $NAME)",
        ),
        ("any fourth column taken for a construction", '$NAME if $LINKS else ""', "$NAME"),
    ),
    *_in(
        "helpers/corpus.py:load_corpus",
        (
            "valid_file read as a test",
            '("valid", $VALID), ("test", $TEST)',
            '("valid", $TEST), ("test", $VALID)',
        ),
        ("a sentence of max_tokens is too long", "$LENGTH <= $ARG3", "$LENGTH < $ARG3"),
    ),
    *_in(
        "helpers/pairs.py:longer_side",
        (
            "long in the source only",
            "max(len($PAIR.source_tokens), len($PAIR.target_tokens))",
            "len($PAIR.source_tokens)",
        ),
    ),
    *_in(
        "helpers/corpus.py:_read_and_split",
        ("every split the same", "$RANDOM.manual_seed($ARG3)", "$RANDOM.manual_seed(0)"),
    ),
    *_in(
        "helpers/pairs.py:source_key",
        ("a comma makes another source", "normalized_source($PAIR)", "$PAIR.source"),
    ),
    *_in(
        "helpers/corpus.py:_without_repeated",
        ("split with overlap", "$KEY not in $LATER", "True"),
        ("train not compared with valid", "$LATER.update($KEYS)", ""),
    ),
    *_in(
        "helpers/corpus.py:Corpus.fingerprint",
        (
            "fingerprint of the sources only",
            "$PAIR.source, $PAIR.target, $PAIR.links, $PAIR.construction",
            "$PAIR.source,",
        ),
    ),
    *_in(
        "helpers/batches.py:Examples.__init__",
        ("no room for large numbers", '"H" if $LARGEST < 2**16 else "i"', '"H"'),
    ),
    *_in(
        "helpers/batches.py:encode_pairs",
        (
            "vocabularies exchanged",
            "$ALL.append($SOURCE.encode($PAIR.source_tokens), $TARGET.encode($PAIR.target_tokens))",
            "$ALL.append($TARGET.encode($PAIR.source_tokens), $SOURCE.encode($PAIR.target_tokens))",
        ),
    ),
    *_in(
        "helpers/batches.py:pad_ids",
        ("pads in front", "$ROW + [PAD] * $NUMBER", "[PAD] * $NUMBER + $ROW"),
    ),
    *_in(
        "helpers/batches.py:make_batch",
        (
            "input of teacher forcing not shifted",
            "[[BOS, *$ROW] for $EACH in $ALL]",
            "[[*$ROW, EOS] for $EACH in $ALL]",
        ),
        (
            "labels not shifted",
            "[[*$ROW, EOS] for $EACH in $ALL]",
            "[[BOS, *$ROW] for $EACH in $ALL]",
        ),
        ("no end in the labels", "[*$ROW, EOS]", "[*$ROW, PAD]"),
    ),
    *_in(
        "helpers/batches.py:length_buckets",
        ("every epoch the same order", "($SEED or 0) * $PRIME + $EPOCH", "($SEED or 0) * $PRIME"),
        ("every seed the same order", "($SEED or 0) * $PRIME + $EPOCH", "$EPOCH"),
        ("buckets not by length", "$ORDER = $ORDER[$SIZES[$ORDER].argsort(stable=True)]", ""),
        (
            "a bucket takes one too many",
            "(len($GROUPS[-1]) + 1) * $LENGTH > $CELLS",
            "len($GROUPS[-1]) * $LENGTH > $CELLS",
        ),
        (
            "buckets drop the tail",
            "torch.randperm(len($GROUPS), **$MORE)",
            "torch.randperm(max(1, len($GROUPS) - 1), **$MORE)",
        ),
    ),
    *_in(
        "helpers/batches.py:endless_batches",
        ("every training begins at the first batch", "divmod($FIRST - 1, $NUMBER)", "0, 0"),
    ),
    # ---------------------------------------------------------------- training
    *_in(
        "helpers/training.py:learning_rate_at",
        ("no warm-up", "$S.learning_rate * $STEP / $S.warmup_steps", "$S.learning_rate"),
        ("learning rate does not fall", "$S.learning_rate * 0.5 * $COSINE", "$S.learning_rate"),
    ),
    *_in(
        "helpers/training.py:make_optimizer",
        (
            "decay on norms and biases",
            "[dict(params=$A, weight_decay=$DECAY), dict(params=$B, weight_decay=0.0)]",
            "[dict(params=$A, weight_decay=$DECAY), dict(params=$B, weight_decay=$DECAY)]",
        ),
    ),
    *_in(
        "helpers/training.py:token_loss",
        (
            "loss over pads",
            "dict(ignore_index=PAD, **$MORE)",
            "dict(**$MORE)",
        ),
    ),
    *_in(
        "helpers/training.py:training_steps",
        ("dropout stays off in a training", "$MODEL.train()", ""),
        (
            "learning rate of the step before",
            '$GROUP["lr"] = $RATE($STEP)',
            '$GROUP["lr"] = $RATE($STEP - 1)',
        ),
        ("gradients add up", "$OPTIMIZER.zero_grad()", ""),
        (
            "gradients cleared before they are used",
            "$OPTIMIZER.zero_grad()\n$LOSS.backward()",
            "$LOSS.backward()\n$OPTIMIZER.zero_grad()",
        ),
        ("no clipping", "if $CLIP:\n    nn.utils.clip_grad_norm_(*$REST)", ""),
        ("a loss that is no number goes on", "if not math.isfinite($LOSS):\n    *$BODY", ""),
    ),
    *_in(
        "helpers/training.py:Budget.__init__",
        (
            "time of an earlier part forgotten",
            "time.process_time() - $BEFORE",
            "time.process_time()",
        ),
    ),
    *_in(
        "helpers/training.py:Budget.over",
        (
            "one step more than asked for",
            "$STEP >= self.settings.steps",
            "$STEP > self.settings.steps",
        ),
        ("minutes are never over", "self.spent >= 1", "False"),
    ),
    *_in(
        "helpers/training.py:translator_steps",
        (
            "label smoothing forgotten",
            "($LOSS or token_loss)($LOGITS, $RIGHT, $S.label_smoothing)",
            "($LOSS or token_loss)($LOGITS, $RIGHT)",
        ),
    ),
    *_in(
        "helpers/training.py:evaluate",
        (
            "label smoothing while evaluating",
            "token_loss($LOGITS, $RIGHT)",
            "token_loss($LOGITS, $RIGHT, 0.1)",
        ),
        ("right pads counted as right tokens", "$RIGHT != PAD", "$RIGHT >= PAD"),
        ("tokens right over the wrong axis", "$LOGITS.argmax(-1)", "$LOGITS.argmax(1)"),
        (
            "mean of batches, not of tokens",
            "$LOSS += $MEAN * len($HITS)\n$RIGHT += int($HITS.sum())\n$TOTAL += len($HITS)",
            "$LOSS += $MEAN\n$RIGHT += $HITS.float().mean().item()\n$TOTAL += 1",
        ),
    ),
    *_in(
        "helpers/runs.py:train",
        (
            "two trainings write into one folder",
            "with ranks.in_rank_0(ranks.lock, $FOLDER):\n    *$BODY",
            "*$BODY",
        ),
        ("ATTENTION_REUSE ignored", "$REUSE or bool($ASKED)", "$REUSE"),
        ("what was unfinished stays", "ranks.told($FILE.unlink)", ""),
        ("the last weights instead of the best", '$MODEL.load_state_dict($SAVED["model"])', ""),
    ),
    *_in(
        "helpers/runs.py:all_that_decides",
        (
            "settings do not decide",
            "dict(settings=asdict($SETTINGS), **$MORE)",
            "dict(**$MORE)",
        ),
        ("data do not decide", "dict(corpus=$CORPUS, **$MORE)", "dict(**$MORE)"),
    ),
    *_in(
        "helpers/runs.py:_train_to_the_end",
        ("resumed training starts at the old step", '$STATE["step"] + 1', '$STATE["step"]'),
        (
            "resumed training has all its minutes again",
            "Budget($S, $SECONDS, $LEFT, $AGREE)",
            "Budget($S, 0.0, $LEFT, $AGREE)",
        ),
        (
            "all minutes to the training",
            "Budget($S, $SECONDS, $LEFT, $AGREE)",
            "Budget($S, $SECONDS, None, $AGREE)",
        ),
        (
            "the last step is not evaluated",
            "$STEP % $EVERY and not $BUDGET.over($STEP)",
            "$STEP % $EVERY",
        ),
        ("a worse checkpoint over a better one", "History($ROWS).best is $ROW", "True"),
    ),
    *_in(
        "helpers/runs.py:_copy_of",
        (
            "best weights not copied",
            "{$NAME: $WEIGHT.clone() for $NAME, $WEIGHT in $ALL}",
            "{$NAME: $WEIGHT for $NAME, $WEIGHT in $ALL}",
        ),
    ),
    *_in(
        "helpers/runs.py:_start_or_resume",
        ("random numbers not seeded", "torch.manual_seed($SEED)", ""),
        ("resumed without the optimizer", '$OPTIMIZER.load_state_dict($STATE["optimizer"])', ""),
        ("resumed with other random numbers", "ranks.take_random_state($RANDOM)", ""),
    ),
    *_in(
        "helpers/checkpoint.py:numeric_settings",
        ("kernels do not decide", "$NUMBERS | $KERNELS", "$NUMBERS"),
    ),
    *_in(
        "helpers/checkpoint.py:write_atomically",
        (
            "half a checkpoint",
            "os.replace($PART, $PATH)",
            "$PATH.write_bytes($PART.read_bytes()[:-100])",
        ),
        ("half a file stays", "$PART.unlink(missing_ok=True)", ""),
    ),
    *_in(
        "helpers/checkpoint.py:load_checkpoint",
        (
            "code in a checkpoint is run",
            "torch.load(*$REST, weights_only=True, **$MORE)",
            "torch.load(*$REST, weights_only=False, **$MORE)",
        ),
    ),
    *_in(
        "helpers/checkpoint.py:set_aside",
        (
            "a checkpoint made otherwise is overwritten",
            "return $FOLDER.rename($PLACE)",
            "",
        ),
        (
            "the same place twice",
            "next($NAME for $NAME in $NAMES if not $NAME.exists())",
            "next($NAMES)",
        ),
        (
            "an unfinished training of something else goes on",
            '($FOLDER / "checkpoint.pt", $FOLDER / "unfinished.pt")',
            '($FOLDER / "checkpoint.pt",)',
        ),
    ),
    *_in(
        "helpers/checkpoint.py:_is_made_with",
        (
            "vocabularies do not decide",
            "$MADE.items() <= $FOUND.items()",
            '$MADE["about"] == $FOUND["about"]',
        ),
    ),
    *_in(
        "helpers/recipe.py:Recipe.pairs",
        (
            "a recipe splits as with seed 0",
            "load_corpus(self.corpus, self.seed, **$F)",
            "load_corpus(self.corpus, **$F)",
        ),
    ),
    *_in(
        "helpers/recipe.py:learn_vocabularies",
        ("vocabulary of all tokens", "$MAKE($SENTENCES, max_size=$SIZE)", "$MAKE($SENTENCES)", 1),
        ("both vocabularies of the source", "$PAIR.target_tokens", "$PAIR.source_tokens"),
    ),
    *_in(
        "helpers/recipe.py:Recipe.vocabularies",
        (
            "validation words known, too",
            "learn_vocabularies(self.pairs.train, *$SIZES)",
            "learn_vocabularies([*self.pairs.train, *self.pairs.valid], *$SIZES)",
        ),
    ),
    *_in(
        "helpers/recipe.py:Recipe.new_model",
        ("a model of any seed", "torch.manual_seed($SEED)", ""),
        ("a recipe's dropout ignored", '*$NAMES, "dropout"', "*$NAMES,"),
    ),
    *_in(
        "helpers/recipe.py:Recipe.translator",
        (
            "a checkpoint of another recipe is taken",
            "if not $MADE <= $FOUND:\n    *$BODY",
            "",
        ),
    ),
    # ---------------------------------------------------------------- translating
    *_in(
        "helpers/decoding.py:NEVER",
        ("pads may be written", "[PAD, *$REST]", "[*$REST]"),
        ("unknown may be written", "[PAD, BOS, UNK]", "[PAD, BOS]"),
    ),
    *_in(
        "helpers/decoding.py:_length_limits",
        ("pads counted in the longest output", "$SOURCE != PAD", "$SOURCE >= PAD"),
    ),
    *_in(
        "helpers/decoding.py:greedy",
        ("end ignored by greedy", "$BEST != EOS", "$BEST == $BEST"),
        ("greedy picks the unlikeliest", "$SCORES.argmax(-1)", "$SCORES.argmin(-1)"),
        ("greedy picks over the wrong axis", "$SCORES.argmax(-1)", "$SCORES.argmax(0)"),
        (
            "greedy writes all rows into one list",
            "[[] for $I in range(len($SOURCE))]",
            "[[]] * len($SOURCE)",
        ),
        ("finished rows keep the cache", "$STATE.select($ROWS)", ""),
    ),
    *_in(
        "helpers/decoding.py:_Hypotheses.take",
        ("end ignored by the beam", "$TOKEN == EOS", "$TOKEN == PAD"),
        ("what is finished goes on", "$EACH[2] != EOS", "$EACH[2] != PAD"),
        (
            "length penalty multiplied",
            "($VALUE / $NORM, $BEGUN[$ROW][1:])",
            "($VALUE * $NORM, $BEGUN[$ROW][1:])",
        ),
        ("beam without length normalisation", "$LENGTH**self.length_penalty", "1.0"),
        (
            "the first end stops the search",
            "sorted($ENDS, reverse=True)[self.beam_size - 1 : self.beam_size]",
            "sorted($ENDS, reverse=True)[:1]",
        ),
    ),
    *_in(
        "helpers/decoding.py:_candidates",
        ("beam forgets its scores", "$SCORES[:, :, None] + $NEW", "$NEW"),
        ("too few candidates beside the ends", "min(2 * $BEAM, $ALL)", "min($BEAM, $ALL)"),
    ),
    *_in(
        "helpers/decoding.py:beam_search",
        (
            "beams of all sentences in one list",
            "[_Hypotheses($LIMIT, *$REST) for $LIMIT in $LIMITS]",
            "[_Hypotheses($LIMITS[0], *$REST)] * len($LIMITS)",
        ),
        ("beam takes the worst", "max($EACH.finished)", "min($EACH.finished)"),
    ),
    *_in(
        "helpers/decoding.py:_search",
        (
            "cache shared between rows",
            "$STATE.select($ROWS, $SAME)",
            "$STATE.select($ROWS[:1].expand_as($ROWS), $SAME)",
        ),
        ("beam does not move the cache", "$STATE.select($ROWS, $SAME)", ""),
    ),
    *_in(
        "helpers/translator.py:Translator.from_checkpoint",
        (
            "vocabularies of a checkpoint exchanged",
            '$SAVED["source_tokens"], $SAVED["target_tokens"]',
            '$SAVED["target_tokens"], $SAVED["source_tokens"]',
        ),
    ),
    *_in(
        "helpers/translator.py:Translator.write",
        ("translations joined by spaces", "detokenize($TOKENS)", '" ".join($TOKENS)'),
        (
            "translations of a batch in another order",
            "zip($GROUP, $OUTPUTS, strict=True)",
            "zip(sorted($GROUP), $OUTPUTS, strict=True)",
        ),
    ),
    *_in(
        "helpers/translator.py:Translator.cross_attention",
        (
            "self-attention shown as cross-attention",
            '$NAME.endswith("cross_attention")',
            '$NAME.endswith("self_attention")',
        ),
    ),
    *_in(
        "helpers/scoring.py:matches",
        (
            "exact match in lower case",
            "$GUESS.strip() in {$RIGHT.strip() for $RIGHT in $RIGHTS}",
            "$GUESS.strip().lower() in {$RIGHT.strip().lower() for $RIGHT in $RIGHTS}",
        ),
        (
            "only the first reference counts",
            "{$RIGHT.strip() for $RIGHT in $RIGHTS}",
            "{$RIGHTS[0].strip()}",
        ),
    ),
    *_in(
        "helpers/scoring.py:bleu",
        ("BLEU with the wrong tokenizer", '"zh" if $HAN else "13a"', '"13a"'),
        ("Japanese read as Chinese", '"char" if $KANA else $OTHER', "$OTHER"),
    ),
    *_in(
        "helpers/scoring.py:alignment_error_rate",
        (
            "axes of a link exchanged",
            "len($GUESS & $TRUTH)",
            "len({(j, i) for i, j in $GUESS} & $TRUTH)",
        ),
        ("error rate without the factor 2", "1 - 2 * $SUM / $LINKS", "1 - $SUM / $LINKS"),
    ),
    *_in(
        "helpers/scoring.py:_sacrebleu",
        ("BLEU of characters joined by spaces", "list($GUESSES)", '[*map(" ".join, $GUESSES)]'),
        (
            "a missing reference is an empty one",
            "$RIGHT if $THERE else None",
            '$RIGHT if $THERE else ""',
        ),
    ),
    *_in(
        "helpers/scoring.py:by_group",
        ("groups in the order of their values", "sorted($MEMBERS)", "$MEMBERS"),
    ),
    # ---------------------------------------------------------------- checks
    *_in(
        "helpers/workshop/closeness.py:compare",
        (
            "shapes that broadcast are equal",
            "$GIVEN.shape != $WANTED.shape",
            "$GIVEN.shape[-1:] != $WANTED.shape[-1:]",
        ),
        ("NaN is equal to everything", "if $COUNT := $SUM:\n    *$BODY", ""),
        ("the smallest gap decides", "$GAP.max() > $ATOL", "$GAP.min() > $ATOL"),
    ),
    *_in(
        "helpers/workshop/closeness.py:_as_tensors",
        ("2.5 expected becomes 2", "$GIVEN.dtype if $FLOAT else torch.float64", "$GIVEN.dtype", 1),
    ),
    *_in(
        "helpers/checks.py:_try_case",
        ("an attempt may change its case", "copy.deepcopy($ARGUMENTS)", "$ARGUMENTS"),
    ),
    *_in(
        "helpers/checks.py:pick_device",
        ("a device that is not there", "torch.ones(1, device=$DEVICE).item()", ""),
    ),
    *_in(
        "helpers/checks.py:require_range",
        ("True is a number", "$FITS and not isinstance($VALUE, bool)", "$FITS"),
        ("no highest value", "$LOWEST <= $VALUE <= $HIGHEST", "$LOWEST <= $VALUE"),
    ),
    # ---------------------------------------------------------------- explorers and the page
    *_in(
        "helpers/plane.py:_reading",
        ("the two readings change sides", "int($AHEAD > 0)", "int($AHEAD < 0)"),
    ),
    *_in(
        "helpers/plane.py:mix",
        ("temperature multiplied", "$RAW / $T", "$RAW * $T", 2),
        ("shares not divided by their sum", "$RAW / $RAW.sum()", "$RAW"),
        ("the query asks the words, not the keys", "$KEYS or $WORDS", "$WORDS", 1),
    ),
    *_in(
        "helpers/plane.py:attend",
        ("positions always added", "$ON * $PLACES[$INDEX]", "$PLACES[$INDEX]"),
        ("the painted mask ignored", "$F($Q, $K, $V, $KEEP)", "$F($Q, $K, $V)"),
    ),
    *_in(
        "helpers/explorers.py:twins",
        ("gap of twins not relative to their mean", "2 * $GAP", "$GAP"),
    ),
    *_in(
        "helpers/workshop/tables.py:first_wrong",
        ("first right token for the first wrong", "$SAME.index(False)", "$SAME.index(True)"),
    ),
    *_in(
        "helpers/explorers.py:play",
        ("a parent of the beam that is none", "{*$PARENTS} <= {*range($WIDTH)}", "True"),
    ),
    *_in(
        "helpers/gloss.py:pinyin",
        ("readings of a dictionary only", "$SAID[$FOUND.start()] = $READING", ""),
    ),
    *_in(
        "helpers/gloss.py:gloss",
        ("English of the token before", "$WORDS[$J] or -1 - $J", "$WORDS[$J - 1] or -1 - $J"),
    ),
    *_in(
        "helpers/bets.py:Bet.answer",
        ("every bet is won", "self.mine == $TRUTH", "True"),
    ),
    *_in(
        "helpers/page.py:write_page",
        ("full precision on the page", "$EACH.detach().cpu().half()", "$EACH.detach().cpu()"),
        ("examples with unknown words", "not $S.unknown($EACH)", "True"),
    ),
    # ---------------------------------------------------------------- data
    *_in(
        "data/grammar/splits.py:finish",
        ("alignment counted from 1", 'f"{$I}-{$J}"', 'f"{$I + 1}-{$J + 1}"'),
        ("link written target first", 'f"{$I}-{$J}"', 'f"{$J}-{$I}"'),
        (
            "link of the final mark one too early",
            "$LINKS.append((len($ENGLISH), len($CHINESE)))",
            "$LINKS.append((len($ENGLISH) - 1, len($CHINESE) - 1))",
        ),
        ("Chinese question with a full stop", '"？" if $PHRASE.question else "。"', '"。"'),
    ),
    *_in("data/make_corpus.py:main", ("line ends of Windows", r'"\n"', r'"\r\n"')),
    *_in(
        "data/grammar/splits.py:Splitter.take",
        ("a sentence may come again", "self.used.update($KEYS)", ""),
        (
            "held-out pair only where it is its own relation",
            "$KEYS = [self.key_of($PHRASE) for $PHRASE in $PHRASES]\n"
            "*$REST\n"
            "if $APART and any(map(self.together, $KEYS)):\n"
            "    return False",
            "$KEYS = [self.key_of($PHRASE) for $PHRASE in $PHRASES]\n"
            "*$REST\n"
            "if $APART and any(pair in self.held_out for $PHRASE in $PHRASES "
            "for pair in $PHRASE.relations):\n"
            "    return False",
        ),
    ),
    *_in(
        "data/grammar/splits.py:is_short",
        ("no longest training sentence", "len($PHRASE.english) <= LONGEST_ENGLISH", "True"),
    ),
    *_in(
        "data/grammar/splits.py:Splitter.ordinary",
        ("parts drawn with overlap", "$LINES.pop()", "$LINES[0]", 1),
    ),
    *_in(
        "data/grammar/splits.py:Splitter.__init__",
        ("probes not set aside", "{normalised($PAIR.english) for $PAIR in $PROBES}", "set()"),
        ("random sentences without a seed", "Random($SEED)", "Random()"),
    ),
    *_in(
        "data/grammar/splits.py:one_of",
        ("of each pair always the first", "$DRAW.pick($PAIR)", "$PAIR[0]"),
    ),
    *_in(
        "data/grammar/splits.py:Splitter.with_pair",
        ("some held-out pairs come often", "$SEEN.update($PAIRS)", ""),
    ),
    *_in(
        "data/grammar/rows.py:forms",
        (
            "held-out pair only in the singular",
            "{$NOUN.english, $NOUN.plural}",
            "{$NOUN.english}",
        ),
    ),
    *_in(
        "data/grammar/splits.py:is_long",
        ("long in one language only", "$ENGLISH > $LEAST and $MORE", "$ENGLISH > $LEAST or $MORE"),
    ),
    *_in(
        "data/grammar/splits.py:Splitter.key_of",
        (
            "two translations not noticed",
            "self.translations.setdefault($KEY, $CHINESE)",
            "self.translations.get($KEY, $CHINESE)",
        ),
    ),
    *_in(
        "data/grammar/readings.py:NeighbourRule.keys",
        ("a rule that sees no neighbour", "[$BOTH, $BEFORE, $BEHIND, $NONE]", "[$NONE]"),
    ),
    *_in(
        "data/grammar/readings.py:is_read",
        ("both readings at once are right", "not any($GENERATOR)", "True"),
    ),
    *_in(
        "data/grammar/phrase.py:join",
        (
            "links do not move with a phrase",
            "($LEFT[$NAME, $I], $RIGHT[$NAME, $J])",
            "($LEFT[$NAME, $I], $J)",
        ),
    ),
    *_in(
        "data/grammar/phrase.py:without",
        ("links do not move when 的 goes", "($I, $J - ($J > $PLACE))", "($I, $J)"),
    ),
    *_in(
        "data/grammar/phrase.py:gloss",
        (
            "only the first character linked",
            "range(len($RIGHT))",
            "range(min(1, len($RIGHT)))",
            2,
        ),
    ),
    *_in(
        "data/grammar/nouns.py:counting",
        (
            "measure word linked to the noun",
            "(len($PHRASE.english) - 1, len($PHRASE.chinese))",
            "(len($PHRASE.english), len($PHRASE.chinese))",
        ),
    ),
    *_in(
        "data/grammar/nouns.py:noun_phrase",
        (
            "个 for everything",
            "determiner($KIND, $NOUN.measure, $BODY)",
            'determiner($KIND, "个", $BODY)',
        ),
    ),
    *_in(
        "data/grammar/nouns.py:determiner",
        ("a before a vowel", '"an" if $VOWEL else "a"', '"a"'),
    ),
    *_in(
        "data/grammar/clauses.py:predicate",
        ("no -s in the third person", "$VERB.third", "$VERB.base"),
        ("不 for what did not happen", '"didn\'t:没"', '"didn\'t:不"'),
    ),
    *_in(
        "data/grammar/clauses.py:timed",
        ("time behind the Chinese verb", '"{s}{t}{v}"', '"{s}{v}{t}"', 1),
    ),
    *_in("data/grammar/nouns.py:number", ("二 for two things", '"two:两"', '"two:二"')),
    *_in(
        "data/grammar/actions.py:relative_object",
        ("relative clause behind the Chinese noun", '"{s}{t}{v}的{d}{n}"', '"{d}{n}{s}{t}{v}的"'),
    ),
    *_in(
        "data/grammar/lexicon.py:VERBS",
        (
            "saw, the verb, read as a tool",
            '"$BEFORE| 看见 | 看见 |$BEHIND"',
            '"$BEFORE| 看见 | 锯 |$BEHIND"',
        ),
    ),
    *_in(
        "data/grammar/lexicon.py:NOUNS",
        ("wrong measure word in the lexicon", '"$BEFORE马 匹$BEHIND"', '"$BEFORE马 只$BEHIND"'),
    ),
]
