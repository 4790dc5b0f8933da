import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { registry } from '../../blocks/registry'
import { createCountingIds } from '../../engine/flow/ids'
import type { Block, Flow } from '../../engine/flow/schema'
import type { ImportReport } from '../../engine/interop/importer'
import { importTypebot } from '../../engine/interop/typebot/importTypebot'
import { readShared, sharedFiles } from './shared'

const folder = fileURLToPath(new URL('typebot/', import.meta.url))
const SHARED = 'flows/typebot'

/** Our own flows in Typebot's format, by file name: together they contain every supported type of block. */
export const ownTypebotFiles: readonly string[] = readdirSync(folder)

/** Other people's flows; none if they are not beside the repository. */
export const sharedTypebotFiles: readonly string[] = sharedFiles(SHARED, '.json')

export const typebotFiles = (): string[] => [...ownTypebotFiles, ...sharedTypebotFiles]

export const typebotSource = (name: string): string =>
  ownTypebotFiles.includes(name) ? readFileSync(folder + name, 'utf8') : readShared(`${SHARED}/${name}`)

/** Imports a file with the given groups; variables by name have the id `v-<name>`. */
export function importGroups(
  groups: Record<string, unknown>[],
  more: { variables?: string[]; [field: string]: unknown } = {},
): { flow: Flow; report: ImportReport } {
  const variables = (more.variables ?? []).map((name) => ({ id: `v-${name}`, name }))
  const placed = groups.map((group) => ({ graphCoordinates: { x: 0, y: 0 }, ...group }))
  return importTypebot(
    { version: '6', groups: placed, edges: [], ...more, variables },
    registry,
    createCountingIds('new'),
  )
}

/** Imports a single block; returns the result, our id of the first variable, and the notes' messages. */
export function importBlock(block: Record<string, unknown>, ...variables: string[]) {
  const { flow, report } = importGroups([{ id: 'g1', title: 'Group', blocks: [{ id: 'b1', ...block }] }], { variables })
  const [made] = flow.groups[0]?.blocks ?? []
  return {
    kind: (made as Block).kind,
    data: (made as Block).data,
    flow,
    report,
    variable: flow.variables[0]?.id,
    notes: report.notes.filter((note) => note.place).map((note) => note.message),
  }
}
