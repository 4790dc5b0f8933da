// Teaches vectors the topics of the bank: a question is to point where pages say what it asks for, and away from what
// they say of other topics (InfoNCE: what is wrong for a question are the others of its batch).

const ROUNDS = 10
const BATCH = 128
/** The less, the more the nearest wrong ones count. */
const WARMTH = 0.07
/** The share of questions that are set beside neighbours of their file, and beside another question of their topic. */
const NEAR = 0.5
const ASKED = 0.25
/** How far a step goes at first, and a tenth of it at last: of words, of how much they tell, of the map. */
const WORD_RATE = 0.05
const TELL_RATE = 0.02
const MAP_RATE = 0.002
/** What holds these where they were. */
const WORD_HOLD = 0.001
const TELL_HOLD = 0.005
const MAP_HOLD = 0.01
/** Chances below this change nothing. */
const FAINT = 1e-4
/** What a word tells at least while it is learnt. */
const LEAST = 0.02

/**
 * Learns one map of all directions, so that words that the bank does not have move along, and beside it a place, and
 * how much it tells, for each word that the bank has.
 * @param {{ dimension: number, vectors: Float32Array, tellings: Float32Array }} words
 * @param {{ rows: Int32Array, shares: Float32Array }[]} texts the rows of their words, and what is to count of each
 * @param {{ file: string, asked: number[], said: number[] }[]} topics their texts, by place
 * @param {() => number} random
 * @returns {{ map: Float32Array, vectors: Float32Array, tellings: Float32Array }} the map goes from row to column;
 *   vectors before it
 */
export function taught(words, texts, topics, random) {
  const model = modelOf(words)
  const questions = topics.flatMap(({ asked }, topic) => asked.map((text) => ({ topic, text })))
  for (let round = 0; round < ROUNDS; round++) {
    const order = shuffled(questions, topics, random)
    const pace = 1 - (0.9 * round) / ROUNDS
    for (let from = 0; from + BATCH <= order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH)
      const others = batch.map(({ topic }) => {
        const { asked, said } = topics[topic]
        const list = random() < ASKED ? asked : said
        return list[Math.floor(random() * list.length)]
      })
      learn(model, [...batch.map(({ text }) => texts[text]), ...others.map((text) => texts[text])], batch)
      step(model, pace)
    }
  }
  return { map: model.map, vectors: model.vectors, tellings: model.logs.map(Math.exp) }
}

/** In any order, a share of them beside some of their file. */
function shuffled(questions, topics, random) {
  const places = new Map()
  const placeOf = (file) => {
    const own = places.get(file) ?? Array.from({ length: 8 }, random)
    places.set(file, own)
    return own[Math.floor(random() * own.length)] + random() * 1e-3
  }
  return questions
    .map((one) => ({ one, place: random() < NEAR ? placeOf(topics[one.topic].file) : random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

function modelOf({ dimension, vectors, tellings }) {
  const map = new Float32Array(dimension * dimension)
  for (let at = 0; at < dimension; at++) map[at * (dimension + 1)] = 1
  const logs = tellings.map((telling) => Math.log(Math.max(LEAST, telling)))
  const rows = 2 * BATCH * dimension
  return {
    dimension,
    ...{ vectors: vectors.slice(), firstVectors: vectors, logs, firstLogs: logs.slice(), map },
    // slopes of one step, and what they were before
    ...{ ofVectors: new Float32Array(vectors.length), ofLogs: new Float32Array(logs.length) },
    ...{ ofMap: new Float32Array(map.length), touched: new Set(), steps: 0 },
    ...{
      vectorSquares: new Float32Array(logs.length).fill(1e-6),
      logSquares: new Float32Array(logs.length).fill(1e-4),
    },
    ...{ mapMeans: new Float32Array(map.length), mapSquares: new Float32Array(map.length) },
    // of each text of a batch: the sum of its words, its direction, the length before, the slope
    ...{ sums: new Float32Array(rows), ways: new Float32Array(rows), lengths: new Float32Array(2 * BATCH) },
    slopes: new Float32Array(rows),
  }
}

/** Adds the slopes of a batch: first its questions, then what belongs to each. */
function learn(model, texts, questions) {
  const { dimension, ways, slopes } = model
  for (const [row, text] of texts.entries()) point(model, row, text)
  slopes.fill(0)
  const likeness = new Float64Array(BATCH * BATCH)
  for (let row = 0; row < BATCH; row++)
    for (let other = 0; other < BATCH; other++) {
      const isSame = row !== other && questions[row].topic === questions[other].topic
      let sum = 0
      const to = (BATCH + other) * dimension
      for (let at = 0; at < dimension; at++) sum += ways[row * dimension + at] * ways[to + at]
      likeness[row * BATCH + other] = isSame ? Number.NEGATIVE_INFINITY : sum / WARMTH
    }
  for (let row = 0; row < BATCH; row++) {
    pull(model, likeness, (other) => [row, other], row)
    pull(model, likeness, (other) => [other, row], row)
  }
  for (const [row, text] of texts.entries()) carry(model, row, text)
}

/** The slopes of one text that is to be nearest to its own of all the others. */
function pull({ dimension, ways, slopes }, likeness, pairOf, own) {
  const values = Array.from({ length: BATCH }, (_, other) => {
    const [question, said] = pairOf(other)
    return likeness[question * BATCH + said]
  })
  const most = Math.max(...values)
  const chances = values.map((value) => Math.exp(value - most))
  const all = chances.reduce((sum, value) => sum + value, 0)
  for (const [other, chance] of chances.entries()) {
    const error = chance / all - (other === own ? 1 : 0)
    if (Math.abs(error) < FAINT) continue
    const [question, said] = pairOf(other)
    const slope = error / WARMTH / BATCH / 2
    const a = question * dimension
    const b = (BATCH + said) * dimension
    for (let at = 0; at < dimension; at++) {
      slopes[a + at] += slope * ways[b + at]
      slopes[b + at] += slope * ways[a + at]
    }
  }
}

/** Where a text points. */
function point({ dimension, vectors, logs, map, sums, ways, lengths }, row, { rows, shares }) {
  const sum = sums.subarray(row * dimension, (row + 1) * dimension).fill(0)
  const way = ways.subarray(row * dimension, (row + 1) * dimension).fill(0)
  for (const [at, word] of rows.entries()) {
    const weight = Math.exp(logs[word]) * shares[at]
    for (let place = 0; place < dimension; place++) sum[place] += weight * vectors[word * dimension + place]
  }
  for (let from = 0; from < dimension; from++)
    for (let to = 0; to < dimension; to++) way[to] += sum[from] * map[from * dimension + to]
  let square = 0
  for (let place = 0; place < dimension; place++) square += way[place] ** 2
  lengths[row] = Math.sqrt(square) || 1
  for (let place = 0; place < dimension; place++) way[place] /= lengths[row]
}

/** Carries the slope of a text's direction on to the map and its words. */
function carry(model, row, { rows, shares }) {
  const { dimension, vectors, logs, map, sums, ways, lengths, slopes, ofVectors, ofLogs, ofMap, touched } = model
  const way = ways.subarray(row * dimension, (row + 1) * dimension)
  const sum = sums.subarray(row * dimension, (row + 1) * dimension)
  const slope = slopes.subarray(row * dimension, (row + 1) * dimension)
  let along = 0
  for (let at = 0; at < dimension; at++) along += slope[at] * way[at]
  for (let at = 0; at < dimension; at++) slope[at] = (slope[at] - along * way[at]) / lengths[row]
  const ofSum = new Float32Array(dimension)
  for (let from = 0; from < dimension; from++) {
    let value = 0
    for (let to = 0; to < dimension; to++) {
      value += map[from * dimension + to] * slope[to]
      ofMap[from * dimension + to] += sum[from] * slope[to]
    }
    ofSum[from] = value
  }
  for (const [at, word] of rows.entries()) {
    const weight = Math.exp(logs[word]) * shares[at]
    let value = 0
    for (let place = 0; place < dimension; place++) {
      ofVectors[word * dimension + place] += weight * ofSum[place]
      value += vectors[word * dimension + place] * ofSum[place]
    }
    ofLogs[word] += weight * value
    touched.add(word)
  }
}

/** Moves words by Adagrad, the map by Adam. */
function step(model, pace) {
  const { dimension, vectors, firstVectors, logs, firstLogs, map, ofVectors, ofLogs, ofMap, touched } = model
  const { vectorSquares, logSquares, mapMeans, mapSquares } = model
  model.steps++
  for (const word of touched) {
    let square = 0
    const to = (word + 1) * dimension
    for (let at = word * dimension; at < to; at++) {
      ofVectors[at] += WORD_HOLD * (vectors[at] - firstVectors[at])
      square += ofVectors[at] ** 2
    }
    vectorSquares[word] += square
    const far = (WORD_RATE * pace) / Math.sqrt(vectorSquares[word])
    for (let at = word * dimension; at < to; at++) vectors[at] -= far * ofVectors[at]
    const slope = ofLogs[word] + TELL_HOLD * (logs[word] - firstLogs[word])
    logSquares[word] += slope ** 2
    logs[word] -= (TELL_RATE * pace * slope) / Math.sqrt(logSquares[word])
    ofVectors.fill(0, word * dimension, to)
    ofLogs[word] = 0
  }
  touched.clear()
  for (let at = 0; at < map.length; at++) {
    const slope = ofMap[at] + MAP_HOLD * (map[at] - (at % (dimension + 1) === 0 ? 1 : 0))
    mapMeans[at] = 0.9 * mapMeans[at] + 0.1 * slope
    mapSquares[at] = 0.999 * mapSquares[at] + 0.001 * slope ** 2
    const mean = mapMeans[at] / (1 - 0.9 ** model.steps)
    map[at] -= (MAP_RATE * pace * mean) / (Math.sqrt(mapSquares[at] / (1 - 0.999 ** model.steps)) + 1e-8)
  }
  ofMap.fill(0)
}

/** Some vectors, one after the other, where a map brings them, each of length 1. @param rows of `vectors` */
export function mapped(vectors, rows, map, dimension) {
  const result = new Float32Array(rows.length * dimension)
  for (const [at, row] of rows.entries()) {
    const own = result.subarray(at * dimension, (at + 1) * dimension)
    for (let from = 0; from < dimension; from++)
      for (let to = 0; to < dimension; to++) own[to] += vectors[row * dimension + from] * map[from * dimension + to]
    let square = 0
    for (let place = 0; place < dimension; place++) square += own[place] ** 2
    const length = Math.sqrt(square) || 1
    for (let place = 0; place < dimension; place++) own[place] /= length
  }
  return result
}
