import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import { type ChatbotFlows, emptyFlow, type Flow, type FlowFile } from './schema'

/**
 * The canonical form of a flow: groups by id, edges by port, data keys by name; blocks and variables keep their order,
 * which matters. Equal flows have equal bytes.
 */
export function canonicalFlow(flow: Flow): Flow {
  return {
    format: flow.format,
    version: flow.version,
    groups: flow.groups
      .map(({ id, title, position, blocks }) => ({
        id,
        title: cleanText(title),
        position: { x: position.x, y: position.y },
        blocks: blocks.map(({ id, kind, version, data, translations }) => ({
          id,
          kind,
          version,
          data: sortFields(data),
          ...(translations &&
            hasFields(translations) && { translations: sortKeys(translations) as typeof translations }),
        })),
      }))
      .sort((a, b) => order(a.id, b.id)),
    edges: flow.edges
      .map(({ from, to }) => ({
        from: { blockId: from.blockId, portId: from.portId },
        to: to.blockId === undefined ? { groupId: to.groupId } : { groupId: to.groupId, blockId: to.blockId },
      }))
      .sort((a, b) => order(a.from.blockId, b.from.blockId) || order(a.from.portId, b.from.portId)),
    variables: flow.variables.map(({ id, name, value }) => ({ id, name, value: sortKeys(value) })),
    ...(flow.languages && { languages: { main: flow.languages.main, others: [...flow.languages.others].sort(order) } }),
  }
}

const hasFields = (fields: object): boolean => Object.keys(fields).length > 0

/** The text of a flow's or chatbot's file: equal flows give equal bytes. */
export const serialiseFlow = (file: FlowFile): string => `${JSON.stringify(canonicalFile(file), null, 2)}\n`

/** The canonical form of a file; a chatbot without other flows is the file of its main flow. */
function canonicalFile({ flows = [], ...main }: FlowFile): FlowFile {
  if (flows.length === 0) return canonicalFlow(main)
  const others = flows.map(({ id, title, ...flow }) => ({ id, title: cleanText(title), ...bare(asFlow(flow)) }))
  return { ...canonicalFlow(main), flows: others }
}

/** A chatbot in the form of its file. */
export function flowFile({ main, others }: ChatbotFlows): FlowFile {
  return canonicalFile({ ...main, flows: others.map(({ id, title, flow }) => ({ id, title, ...bare(flow) })) })
}

const asFlow = (flow: Omit<Flow, 'format' | 'version'>): Flow => ({ ...emptyFlow(), ...flow })

function bare(flow: Flow): Omit<Flow, 'format' | 'version'> {
  const { format: _, version: __, ...content } = canonicalFlow(flow)
  return content
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function sortKeys(value: Json): Json {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(sortKeys)
  return value !== null && typeof value === 'object' ? sortFields(value) : value
}

/** Omits undefined fields, as JSON does. */
const sortFields = (fields: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]): [string, Json] => [cleanText(key), sortKeys(value)])
      .sort(([a], [b]) => order(a, b)),
  )
