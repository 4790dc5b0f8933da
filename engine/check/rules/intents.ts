import type { BlockView } from '../../document/commands'
import { stemOf, tokenize } from '../../intents/features'
import type { Diagnostic, Remedy } from '../diagnostic'
import { type Node, role } from '../graph'
import { report } from './report'

interface Signs {
  readonly phrases: readonly { readonly text: string; readonly words: string; readonly stems: string }[]
}

/** Normalized phrases, cached per block. */
const remembered = new WeakMap<object, Signs>()

/**
 * Reports intents that can't be distinguished: the same name, or a phrase in both, either literally or with the same
 * stems in another order. Each phrase is looked up once, so the cost is linear.
 */
export function checkIntents(nodes: Iterable<Node>): Diagnostic[] {
  const intents: Node[] = []
  for (const node of nodes) if (node.role & role.isIntent) intents.push(node)
  intents.sort((a, b) => (a.view.id < b.view.id ? -1 : 1))
  const found: Diagnostic[] = []
  const names = new Map<string, Node>()
  const byWords = new Map<string, Node>()
  const byStems = new Map<string, { node: Node; text: string }>()
  for (const node of intents) {
    const name = nameOf(node)
    const key = name.trim().toLowerCase()
    if (names.has(key)) found.push(report('intent-name-twice', { ...placeOf(node), path: 'name' }, { name }))
    else names.set(key, node)
    for (const { text, words, stems } of signsOf(node).phrases) {
      if (words === '') continue
      const same = byWords.get(words)
      const alike = byStems.get(stems)
      if (same && same !== node) {
        const values = { phrase: text, name, otherName: nameOf(same) }
        found.push(report('phrase-twice', placeOf(node), values, withoutPhrase(node.view, text)))
      } else if (alike && alike.node !== node) {
        const values = { phrase: text, name, otherPhrase: alike.text, otherName: nameOf(alike.node) }
        found.push(report('phrases-alike', placeOf(node), values, withoutPhrase(node.view, text)))
      }
      if (!same) byWords.set(words, node)
      if (!alike) byStems.set(stems, { node, text })
    }
  }
  return found
}

const placeOf = ({ view }: Node) => ({ groupId: view.groupId, blockId: view.id })
const nameOf = ({ facts }: Node) => facts.intent?.name ?? ''

function signsOf({ facts }: Node): Signs {
  const { intent } = facts
  if (!intent) return { phrases: [] }
  const known = remembered.get(intent)
  if (known) return known
  const texts = [...new Map(intent.phrases.map((text) => [tokenize(text).join(' '), text]))]
  const phrases = texts.map(([words, text]) => ({
    text,
    words,
    // duplicates count: “orders” and “order” have the same stems
    stems: words
      .split(' ')
      .map((word) => stemOf(stemOf(word)))
      .sort()
      .join(' '),
  }))
  const signs = { phrases }
  remembered.set(intent, signs)
  return signs
}

/** A remedy that removes the phrase from the block's data. */
function withoutPhrase({ id, data }: BlockView, text: string): Remedy | undefined {
  const holds = (item: unknown) => typeof item === 'object' && item !== null && Object.values(item).includes(text)
  for (const [field, list] of Object.entries(data)) {
    if (!Array.isArray(list) || !list.some(holds)) continue
    const rest = list.filter((item) => !holds(item))
    return { code: 'remove-phrase', commands: [{ name: 'setBlockData', args: [id, { ...data, [field]: rest }] }] }
  }
  return undefined
}
