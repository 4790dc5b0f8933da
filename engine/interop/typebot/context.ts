import { parseExpression } from '../../expression/parseExpression'
import type { IdSource } from '../../flow/ids'
import type { EdgeTarget } from '../../flow/schema'
import { caps } from '../../values/caps'
import { clip, fieldsOf, stringOf, textOf } from '../fields'
import type { ImportContext } from '../importer'
import type { ReportWriter } from '../report'
import { fromHtml } from './htmlTexts'
import { translateCode } from './javascript/translate'
import type { TypebotFile } from './readTypebot'
import type { Returns } from './returns'
import { fromRichTextNodes } from './richTexts'
import { toDynamicValue } from './texts'
import type { ImportedVariables } from './variables'

/** Our ids for the file's groups and blocks. */
export interface Places {
  groupId: (groupIndex: number) => string
  blockId: (groupIndex: number, blockIndex: number) => string
  /** null if the file has neither; a missing block resolves to its group */
  target: (foreignGroupId: string | undefined, foreignBlockId: string | undefined) => EdgeTarget | null
}

/** Assigns ids to all groups and blocks. Of two with the same foreign id, references mean the first. */
export function createPlaces(file: TypebotFile, ids: IdSource, report: ReportWriter): Places {
  const groupIds: string[] = []
  const blockIds: string[][] = []
  const groups = new Map<string, string>()
  const blocks = new Map<string, { groupId: string; blockId: string }>()
  for (const group of file.groups) {
    const groupId = ids()
    groupIds.push(groupId)
    if (groups.has(group.id)) report.note('info', clip(group.title, 100), 'Another group has the same id.')
    else if (group.id) groups.set(group.id, groupId)
    blockIds.push(
      group.blocks.map((block) => {
        const blockId = ids()
        if (blocks.has(block.id))
          report.note('info', clip(group.title, 100), `Another block has the id of '${clip(block.type, 60)}'.`)
        else if (block.id) blocks.set(block.id, { groupId, blockId })
        return blockId
      }),
    )
  }
  return {
    groupId: (groupIndex) => groupIds[groupIndex] ?? '',
    blockId: (groupIndex, blockIndex) => blockIds[groupIndex]?.[blockIndex] ?? '',
    target(foreignGroupId, foreignBlockId) {
      const block = foreignBlockId === undefined ? undefined : blocks.get(foreignBlockId)
      if (block) return block
      const groupId = foreignGroupId === undefined ? undefined : groups.get(foreignGroupId)
      return groupId === undefined ? null : { groupId }
    },
  }
}

/** The import context of one block. */
export function createBlockContext(
  variables: ImportedVariables,
  places: Places,
  ids: IdSource,
  returns: Returns,
  { note, remark }: Pick<ImportContext, 'note' | 'remark'>,
): ImportContext {
  const names = {
    byName(name: string) {
      const known = variables.byName(name)
      if (known !== undefined) return known
      const made = variables.make(name)
      if (made) note(`There was no variable '${name}': it was made, and is empty until something sets it.`)
      return made ?? undefined
    },
    note,
  }
  return {
    id: ids,
    variable(foreignId) {
      const wanted = stringOf(foreignId)
      if (!wanted) return null
      const id = variables.byId(wanted)
      if (id === undefined) note('It uses a variable that is not in the file. Choose one.')
      return id ?? null
    },
    isList: (foreignId) => variables.isList(textOf(foreignId)),
    text: (value, max) => toDynamicValue(textOf(value), max, names),
    calculation(code) {
      const meant = translateCode(code, (name) => names.byName(name) !== undefined)
      if (meant.type !== 'expression') return meant
      const value = toDynamicValue(meant.source, caps.setVariable, names)
      const parsed = parseExpression(value)
      return parsed.ok
        ? { type: 'expression', value }
        : { type: 'unable', because: 'is more than an expression here can be' }
    },
    richText(value) {
      const plain = stringOf(value)
      if (plain !== undefined) return fromRichTextNodes([{ type: 'p', children: [{ text: plain }] }], names)
      const { richText, html, plainText } = fieldsOf(value)
      if (Array.isArray(richText) && richText.length > 0) return fromRichTextNodes(richText, names)
      if (textOf(html)) return fromHtml(textOf(html), names)
      return fromRichTextNodes([{ type: 'p', children: [{ text: textOf(plainText) }] }], names)
    },
    startWith: variables.startWith,
    target: (groupId, blockId) => places.target(stringOf(groupId), stringOf(blockId)),
    returns: (groupId, blockId) => returns(stringOf(groupId), stringOf(blockId)),
    note,
    remark,
  }
}
