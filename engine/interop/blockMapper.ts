import { EngineError } from '../errors'
import type { AnyBlock } from '../flow/defineBlock'
import type { Registry } from '../flow/registry'
import type { Block } from '../flow/schema'
import { firstProblem } from '../values/issues'
import type { Json } from '../values/json'
import { clip } from './fields'
import type { BlockImporter, ForeignBlock, ImportContext, MappedBlock } from './importer'
import type { ReportWriter } from './report'
import { leftOut } from './settings'
import { watchReads } from './typebot/unread'

/** An imported block. */
export interface Mapped {
  kind: AnyBlock
  data: Block['data']
  ports: MappedBlock['ports']
}

export interface BlockMapper {
  /** maps it to the first kind that accepts it, or returns the reason why none does; reports only ignored settings */
  tryMap(block: ForeignBlock, context: ImportContext): Mapped | { reason: string }
  /** a placeholder that keeps the file's JSON and has one port */
  keep(type: string, reason: string, data: Json): Mapped
  /**
   * tryMap, otherwise keep, counted in the report; `place` is the title of its group, `data` what a placeholder keeps
   */
  map(block: ForeignBlock, context: ImportContext, place: string, data: Json): Mapped
}

/** Maps a product's blocks to the kinds of a registry. Throws KIND_UNKNOWN if the registry has no placeholder kind. */
export function createBlockMapper(
  registry: Registry,
  product: BlockImporter['product'],
  report: ReportWriter,
): BlockMapper {
  const byType = new Map<string, { kind: AnyBlock; importer: BlockImporter }[]>()
  for (const kind of registry.kinds) {
    for (const importer of kind.importers.filter((each) => each.product === product)) {
      for (const type of importer.types) byType.set(type, [...(byType.get(type) ?? []), { kind, importer }])
    }
  }
  const keeper = registry.kinds.find(({ keeps }) => keeps)
  if (!keeper?.keeps) throw new EngineError('KIND_UNKNOWN', 'No kind keeps what has no kind here.')
  const { keeps } = keeper

  function tryMap(block: ForeignBlock, context: ImportContext): Mapped | { reason: string } {
    const reasons: string[] = []
    for (const { kind, importer } of byType.get(block.type) ?? []) {
      const { watched, unread } = watchReads(block)
      const mapped = importer.map(watched, context)
      if ('notMapped' in mapped) {
        reasons.push(mapped.notMapped)
        continue
      }
      const checked = kind.schema.safeParse(mapped.data)
      if (checked.success) {
        for (const name of unread()) context.note(leftOut(name))
        return { kind, data: checked.data, ports: mapped.ports }
      }
      reasons.push(`Its data does not fit: ${firstProblem(checked.error.issues)}`)
    }
    return { reason: reasons[0] ?? 'There is no block of this kind here: build it from others.' }
  }
  function keep(type: string, reason: string, data: Json): Mapped {
    const kept = keeps({ product, type, reason, data })
    return { kind: keeper as AnyBlock, data: kept, ports: { default: keeper?.ports(kept)[0]?.id } }
  }
  return {
    tryMap,
    keep,
    map(block, context, place, data) {
      const type = clip(block.type, 60)
      const mapped = tryMap(block, context)
      if ('kind' in mapped) report.mapped(type, mapped.kind.kind)
      else report.placeholder(type, mapped.reason, place)
      return 'kind' in mapped ? mapped : keep(block.type, mapped.reason, data)
    },
  }
}
