import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import type { BlockView, FlowCommands } from '../../engine/document/commands'
import type { FlowDocument } from '../../engine/document/flowDocument'
import { type Block, emptyFlow, type Flow } from '../../engine/flow/schema'
import { staticValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { plainRichText, type RichText } from '../../engine/values/richText'

/** What one person does to a flow, at random but always the same for the same numbers. */
export interface Editor {
  document: FlowDocument
  /** numbers in [0, 1) */
  random: () => number
  /** new ids, of nobody else's */
  newId: () => string
}
type Edit = (editor: Editor) => void

/** Kinds whose data is nested, rich, or both: what merges in all the ways there are. */
export const editedKinds = ['text', 'buttons', 'form', 'condition', 'carousel', 'http-request', 'text-input', 'intent']

/** Every command, by its name: one that is new does not compile until it is edited with here. */
const commandEdits: Record<keyof FlowCommands, Edit> = {
  addGroup: (editor) => {
    const id = editor.newId()
    editor.document.commands.addGroup({
      id,
      title: `Group ${id}`,
      position: somewhere(editor),
      blocks: Array.from({ length: below(editor, 3) }, () => newBlock(editor)),
    })
  },
  setGroupTitle: (editor) => editor.document.commands.setGroupTitle(anyGroup(editor), word(editor)),
  moveGroups: (editor) =>
    editor.document.commands.moveGroups(
      [anyGroup(editor), anyGroup(editor)].map((groupId) => ({ groupId, position: somewhere(editor) })),
    ),
  deleteGroups: (editor) => {
    // seldom: else there is soon nothing to edit
    if (editor.document.projection().groups.size > 3 || editor.random() < 0.1)
      editor.document.commands.deleteGroups([anyGroup(editor)])
  },
  addBlock: (editor) => editor.document.commands.addBlock(anyGroup(editor), below(editor, 4), newBlock(editor)),
  moveBlock: (editor) =>
    editor.document.commands.moveBlock(anyBlock(editor), { groupId: anyGroup(editor), index: below(editor, 5) }),
  deleteBlocks: (editor) => editor.document.commands.deleteBlocks([anyBlock(editor)]),
  setBlockData: (editor) => {
    const block = editor.document.projection().blocks.get(anyBlock(editor))
    if (block) editor.document.commands.setBlockData(block.id, changedData(editor, block))
  },
  setRichText: (editor) => {
    const found = anyRichText(editor)
    if (found) editor.document.commands.setRichText(found.blockId, found.field, textOf(editor))
  },
  setTranslation: (editor) => {
    const found = anyRichText(editor)
    const language = below(editor, 2) === 0 ? 'pt-br' : 'ar'
    const translation = editor.random() < 0.2 ? null : { text: textOf(editor), of: word(editor).slice(0, 16) }
    if (found) editor.document.commands.setTranslation(found.blockId, language, found.field, translation)
  },
  setLanguages: (editor) =>
    editor.document.commands.setLanguages({
      main: 'en',
      others: ['ar', 'de', 'pt-br'].filter(() => editor.random() < 0.5),
    }),
  connect: (editor) => {
    const from = editor.document.projection().blocks.get(anyBlock(editor))
    const target = anyBlock(editor)
    const port = from && pick(editor, registry.portsOf(from))
    const groupId = editor.document.projection().blocks.get(target)?.groupId
    if (!port || !groupId) return
    editor.document.commands.connect(
      { blockId: from.id, portId: port.id },
      editor.random() < 0.5 ? { groupId: anyGroup(editor) } : { groupId, blockId: target },
    )
  },
  disconnect: (editor) => {
    const edge = pick(editor, [...editor.document.projection().edges.values()])
    if (edge) editor.document.commands.disconnect([edge.from])
  },
  addVariable: (editor) => {
    const id = editor.newId()
    // a name of everybody's: that two take the same at once is to happen
    const name = `name ${below(editor, 12)}`
    const taken = editor.document.projection().variables.some((variable) => variable.name === name)
    editor.document.commands.addVariable({
      id,
      name: taken ? `name ${id.replace('-', ' ')}` : name,
      value: anyValue(editor),
    })
  },
  updateVariable: (editor) => {
    const variable = pick(editor, editor.document.projection().variables)
    if (!variable) return
    const renamed = editor.random() < 0.5
    editor.document.commands.updateVariable(
      variable.id,
      renamed ? { name: `name ${editor.newId().replace('-', ' ')}` } : { value: anyValue(editor) },
    )
  },
  deleteVariable: (editor) => {
    const { variables } = editor.document.projection()
    if (variables.length > 2) editor.document.commands.deleteVariable(pick(editor, variables)?.id ?? '')
  },
  batch: (editor) =>
    editor.document.commands.batch(() => {
      for (let n = below(editor, 4); n > 0; n--) single(editor)
    }),
  typing: (editor) => editor.document.commands.typing(() => commandEdits.setGroupTitle(editor)),
  insertFlow: (editor) => {
    if (editor.document.projection().groups.size < 12) editor.document.commands.insertFlow(smallFlow(editor))
  },
  replaceFlow: (editor) => {
    // as restoring an older version does: some of what is there, changed, and something else
    const flow = structuredClone(editor.document.toFlow())
    const groups = flow.groups.filter(() => editor.random() < 0.8)
    const ids = new Set(groups.flatMap((group) => [group.id, ...group.blocks.map(({ id }) => id)]))
    const edges = flow.edges.filter(({ from, to }) => ids.has(from.blockId) && ids.has(to.blockId ?? to.groupId))
    editor.document.commands.replaceFlow({
      ...flow,
      groups: [...groups.reverse(), ...smallFlow(editor).groups],
      edges,
      variables: flow.variables.filter(() => editor.random() < 0.9),
    })
  },
}

/** What goes past the commands. */
const otherEdits: Record<string, Edit> = {
  type: (editor) => {
    const found = anyRichText(editor)
    const text = found && editor.document.text(found.blockId, found.field)
    const paragraph = text && pick(editor, paragraphsOf(text))
    if (!paragraph) return
    editor.document.doc.transact(() => {
      // between whole characters, as every editor does
      const places = placesIn(paragraph)
      const at = below(editor, places.length)
      const [from, to] = [places[at] as number, places[at + 1 + below(editor, 2)]]
      if (editor.random() < 0.3 && to !== undefined) paragraph.delete(from, to - from)
      else paragraph.insert(from, word(editor), editor.random() < 0.3 ? { bold: true } : {})
    }, editor.document.typingOrigin)
  },
  undo: (editor) => void editor.document.undo.undo(),
  redo: (editor) => void editor.document.undo.redo(),
}

/** How often beside the others, which are done once. */
const weights: Record<string, number> = {
  moveBlock: 3,
  setBlockData: 5,
  type: 5,
  undo: 6,
  redo: 4,
  deleteGroups: 0.5,
  insertFlow: 0.1,
  replaceFlow: 0.05,
}
const weighted = Object.entries({ ...commandEdits, ...otherEdits }).map(([name, edit]) => ({
  edit,
  name,
  weight: weights[name] ?? 1,
}))
const total = weighted.reduce((sum, { weight }) => sum + weight, 0)

/** Does one thing to the flow. @returns what */
export function editAtRandom(editor: Editor): string {
  let left = editor.random() * total
  for (const { name, edit, weight } of weighted) {
    left -= weight
    if (left >= 0) continue
    edit(editor)
    return name
  }
  return ''
}

/** Every kind of edit that there is. */
export const editNames = weighted.map(({ name }) => name)

function single(editor: Editor): void {
  const edits = [
    commandEdits.addBlock,
    commandEdits.moveBlock,
    commandEdits.connect,
    commandEdits.setBlockData,
    commandEdits.setRichText,
    commandEdits.moveGroups,
  ]
  pick(editor, edits)?.(editor)
}

const below = ({ random }: Editor, limit: number): number => Math.floor(random() * limit)
const pick = <T>(editor: Editor, list: readonly T[]): T | undefined => list[below(editor, list.length)]
const somewhere = (editor: Editor) => ({ x: below(editor, 4000), y: below(editor, 4000) })
const word = (editor: Editor) => pick(editor, ['tea', 'Ünï ', '👩‍👩‍👧', 'a longer one', '1', 'x']) as string
const anyGroup = (editor: Editor) => pick(editor, [...editor.document.projection().groups.keys()].sort()) ?? 'none'
const anyBlock = (editor: Editor) => pick(editor, [...editor.document.projection().blocks.keys()].sort()) ?? 'none'
const anyValue = (editor: Editor): Json => pick(editor, [null, 'text', 7, true, ['a', { b: 1 }]]) as Json
const textOf = (editor: Editor): RichText => plainRichText(`${word(editor)}\n${word(editor)}`.slice(below(editor, 3)))

function newBlock(editor: Editor): Block {
  const kind = pick(editor, editedKinds) as string
  const definition = registry.get(kind)
  const data = definition.defaults(editor.newId) as Block['data']
  return { id: editor.newId(), kind, version: definition.migrations.length, data }
}

export function smallFlow(editor: Editor): Flow {
  const ids = [editor.newId(), editor.newId()]
  const groups = ids.map((id) => ({
    id,
    title: id,
    position: somewhere(editor),
    blocks: [newBlock(editor), newBlock(editor)],
  }))
  return { ...emptyFlow(), groups }
}

function anyRichText(editor: Editor): { blockId: string; field: string } | null {
  const { blocks } = editor.document.projection()
  const all = [...blocks.values()].flatMap(({ id, kind }) =>
    (registry.find(kind)?.richTexts ?? []).map((field) => ({ blockId: id, field })),
  )
  all.sort((a, b) => (a.blockId + a.field < b.blockId + b.field ? -1 : 1))
  return pick(editor, all) ?? null
}

const paragraphsOf = (text: Y.XmlText): Y.XmlText[] =>
  (text.toDelta() as { insert: unknown }[]).flatMap(({ insert }) => (insert instanceof Y.XmlText ? [insert] : []))

function placesIn(paragraph: Y.XmlText): number[] {
  const places = [0]
  for (const { insert } of paragraph.toDelta() as { insert: unknown }[]) {
    const units = typeof insert === 'string' ? [...insert].map((character) => character.length) : [1]
    for (const length of units) places.push((places.at(-1) as number) + length)
  }
  return places
}

/** The data with one thing changed in it: an item added, removed, moved or edited, or a field of its own. */
function changedData(editor: Editor, { kind, data }: BlockView): Record<string, Json> {
  const fresh = registry.get(kind).defaults(editor.newId) as Record<string, Json>
  const fields = Object.keys(fresh).sort()
  const field = pick(editor, fields)
  return field === undefined ? { ...data } : { ...data, [field]: changedValue(editor, data[field] ?? null, field) }
}

function changedValue(editor: Editor, value: Json, field: string): Json {
  if (typeof value === 'string') return CHOSEN.test(field) ? value : word(editor)
  if (typeof value === 'boolean') return !value
  if (isDynamic(value)) return staticValue(word(editor)) as unknown as Json
  if (!Array.isArray(value)) return value
  const first = firstItems[field]
  if (value.length === 0) return first ? [{ id: editor.newId(), ...first }] : value
  const items = value as { id: string; [field: string]: Json }[]
  if (items.some((item) => typeof item?.id !== 'string')) return value
  const at = below(editor, items.length)
  const item = items[at]
  switch (below(editor, 4)) {
    case 0:
      return items.length > 1 ? items.filter((_, i) => i !== at) : items
    case 1:
      return [...items.slice(1), ...items.slice(0, 1)]
    case 2:
      return item && items.length < 8 ? [...items, { ...renewed(editor, item), id: editor.newId() }] : items
    default: {
      if (!item) return items
      if (item.value !== undefined && 'label' in item && editor.random() < 0.3) {
        const { value: _, ...rest } = item
        return items.map((other, i) => (i === at ? (rest as typeof item) : other))
      }
      const inner = pick(
        editor,
        Object.keys(item)
          .filter((name) => name !== 'id')
          .sort(),
      )
      if (inner === undefined) return items
      const next = { ...item, [inner]: changedValue(editor, item[inner] ?? null, inner) }
      return items.map((other, i) => (i === at ? next : other))
    }
  }
}

/** Fields that hold one of a few words, or name something. */
const CHOSEN = /id$|^(type|bodyType|method|match|subject|operator|from)$/i

const isDynamic = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && value.type === 'static'

/** What the first item of a list that begins empty is like. */
const label = staticValue('') as unknown as Json
const firstItems: Record<string, Record<string, Json>> = {
  phrases: { text: 'a phrase' },
  quickReplies: { label },
  choices: { label },
}

/** Items within it have new ids too. */
function renewed(editor: Editor, item: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      Array.isArray(value) && value.every((inner) => inner !== null && typeof inner === 'object' && 'id' in inner)
        ? value.map((inner) => ({ ...(inner as Record<string, Json>), id: editor.newId() }))
        : value,
    ]),
  )
}
