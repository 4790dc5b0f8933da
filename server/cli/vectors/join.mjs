// One space for all languages: each turned to English, and words that mean the same brought near each other.
import { centred, normalise, turned } from './align.mjs'

/** The rarest words of a pair that turns a language. */
const SURE = 15
const ROUNDS = 8
/** Words in the file: 16 MB. Those of texts come first, then those of our lexicon. */
const MOST = 170_000
/** A word that stands so often in the texts holds its place as firmly as its groups pull. */
const FIRM = 60

/**
 * @param {Map<string, { stems: string[], counts: number[], vectors: Float32Array }>} languages English first
 * @param groups words that mean the same (groups.mjs)
 * @returns {{ stems: string[], shares: Float64Array, vectors: Float32Array }} each stem once, whatever its language;
 *   `shares`: of all words, in the language where it is most frequent
 */
export function joined(languages, groups, dimension) {
  const nodes = nodesOf(languages, groups)
  const [first] = languages.keys()
  for (const [language, own] of languages) {
    centred(own.vectors, dimension)
    if (language === first) continue
    const pairs = pairsOf(nodes, groups, language, first)
    own.vectors = turned(own.vectors, languages.get(first).vectors, pairs, dimension)
  }
  return merged(nodes, pulledTogether(nodes, languages, groups, dimension), dimension)
}

/** Every word of a language: in its texts, or only in a group. */
function nodesOf(languages, groups) {
  const nodes = { ids: new Map(), list: [] }
  const add = (language, stem, node) => {
    const key = `${language} ${stem}`
    if (nodes.ids.has(key)) return
    nodes.ids.set(key, nodes.list.length)
    nodes.list.push({ language, stem, ...node })
  }
  for (const [language, { stems, counts }] of languages) {
    const all = counts.reduce((sum, count) => sum + count, 0)
    for (const [row, stem] of stems.entries())
      add(language, stem, { row, count: counts[row], share: counts[row] / all })
  }
  const hasText = ({ language, stem }) => nodes.ids.has(`${language} ${stem}`)
  const [first] = languages.keys()
  const all = [...groups.filter(({ isOwn }) => isOwn), ...groups.filter(({ isOwn }) => !isOwn)]
  // the many names of plants and the like that no English text here has are left out
  const usual = all.filter(
    ({ isOwn, words }) => isOwn || words.some((word) => word.language === first && hasText(word)),
  )
  for (const { words, isOwn } of usual)
    for (const { language, stem } of words)
      if (languages.has(language) && (isOwn || language !== first)) add(language, stem, { row: -1, count: 0, share: 0 })
  return nodes
}

/** Translations that groups have, each weighing less the more there are of it. */
function pairsOf({ ids, list }, groups, language, first) {
  const scores = new Map()
  for (const { weight, words } of groups) {
    const rowsIn = (wanted) =>
      words.flatMap((word) => {
        const node = word.language === wanted ? list[ids.get(`${wanted} ${word.stem}`)] : undefined
        return node && node.row >= 0 && node.count >= SURE ? [node.row] : []
      })
    const froms = rowsIn(language)
    const tos = rowsIn(first)
    for (const from of froms)
      for (const to of tos) {
        const key = from * 2 ** 20 + to
        scores.set(key, (scores.get(key) ?? 0) + weight / froms.length / tos.length)
      }
  }
  return [...scores].map(([key, weight]) => ({
    from: Math.floor(key / 2 ** 20),
    to: key % 2 ** 20,
    weight: Math.min(weight, 2),
  }))
}

/** Each word between its place in the texts and the means of its groups. */
function pulledTogether({ ids, list }, languages, groups, dimension) {
  const own = new Float32Array(list.length * dimension)
  for (const [id, { language, row }] of list.entries()) {
    if (row < 0) continue
    const { vectors } = languages.get(language)
    own.set(vectors.subarray(row * dimension, (row + 1) * dimension), id * dimension)
  }
  const members = groups.map(({ words }) => words.flatMap(({ language, stem }) => ids.get(`${language} ${stem}`) ?? []))
  const weights = new Float64Array(list.length)
  for (const [at, group] of members.entries()) for (const id of group) weights[id] += groups[at].weight
  let now = own.slice()
  for (let round = 0; round < ROUNDS; round++) {
    const next = own.slice()
    for (const [id, { count }] of list.entries()) {
      // what its texts say, beside its groups with 1 together
      const firm = count === 0 ? 0 : count / (count + FIRM)
      for (let at = id * dimension; at < (id + 1) * dimension; at++) next[at] *= firm
    }
    const mean = new Float64Array(dimension)
    for (const [at, group] of members.entries()) {
      mean.fill(0)
      for (const id of group) for (let place = 0; place < dimension; place++) mean[place] += now[id * dimension + place]
      let square = 0
      for (let place = 0; place < dimension; place++) square += mean[place] ** 2
      const length = Math.sqrt(square) || 1
      for (const id of group) {
        // a word of few groups is pulled less
        const share = groups[at].weight / Math.max(0.5, weights[id]) / length
        for (let place = 0; place < dimension; place++) next[id * dimension + place] += share * mean[place]
      }
    }
    now = normalise(next, dimension)
  }
  return now
}

/** A stem of several languages is one, between its meanings in each; of too many the last ones are left out. */
function merged({ list }, vectors, dimension) {
  const places = new Map()
  for (const { stem } of list) if (!places.has(stem) && places.size < MOST) places.set(stem, places.size)
  const stems = [...places.keys()]
  const sums = new Float32Array(stems.length * dimension)
  const shares = new Float64Array(stems.length)
  for (const [id, { stem, share }] of list.entries()) {
    const to = places.get(stem)
    if (to === undefined) continue
    shares[to] = Math.max(shares[to], share)
    const weight = Math.sqrt(share) + 1e-4
    for (let at = 0; at < dimension; at++) sums[to * dimension + at] += weight * vectors[id * dimension + at]
  }
  return { stems, shares, vectors: normalise(sums, dimension) }
}
