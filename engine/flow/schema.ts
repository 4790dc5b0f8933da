import { z } from 'zod'
import { languagesSchema, translationsSchema } from '../translations/translation'
// schemas of flows and blocks have error messages for people
import '../values/issues'
import { jsonSchema } from '../values/json'

/** A flow as plain JSON: exported, imported, published and run. Its live form is the document (engine/document). */
export const FLOW_FORMAT = 'parley-flow'
export const FLOW_FORMAT_VERSION = 1

/** Caps of a flow: lengths from SPEC.md 9; counts are ours (the canvas is measured at 10,000 groups). */
export const flowCaps = {
  groupTitle: 100,
  variableName: 50,
  groups: 20_000,
  blocks: 50_000,
  edges: 200_000,
  variables: 5_000,
  /** a chatbot's flows besides the main one */
  flows: 100,
  flowTitle: 125,
  depth: 64,
  bytes: 20e6,
} as const

/** Ids of groups, blocks, ports, variables and list items. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const id = idSchema

/** Letters, digits, underscore and space (SPEC.md 5), of any script. */
export const VARIABLE_NAME = /^[\p{L}\p{M}\p{N}_ ]+$/u

export const variableSchema = z.strictObject({
  id,
  name: z.string().min(1).max(flowCaps.variableName).regex(VARIABLE_NAME),
  /** the initial value of a session; null is unset */
  value: jsonSchema,
})

export const blockSchema = z.strictObject({
  id,
  kind: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  /** how many of the kind's migrations have been applied to this data */
  version: z.int().min(0),
  data: z.record(z.string(), jsonSchema),
  /** translations of its visitor texts; part of the block, so that a copy of it has them */
  translations: translationsSchema.optional(),
})

export const groupSchema = z.strictObject({
  id,
  title: z.string().max(flowCaps.groupTitle),
  position: z.strictObject({ x: z.number(), y: z.number() }),
  blocks: z.array(blockSchema),
})

/** From a block's port to a group (its first block) or to one block in it. A port has at most one edge. */
export const edgeSchema = z.strictObject({
  from: z.strictObject({ blockId: id, portId: id }),
  to: z.strictObject({ groupId: id, blockId: id.optional() }),
})

export const flowSchema = z.strictObject({
  format: z.literal(FLOW_FORMAT),
  version: z.literal(FLOW_FORMAT_VERSION),
  groups: z.array(groupSchema).max(flowCaps.groups),
  edges: z.array(edgeSchema).max(flowCaps.edges),
  variables: z.array(variableSchema).max(flowCaps.variables),
  /** of a chatbot's main flow only */
  languages: languagesSchema.optional(),
})

/** Another flow of the chatbot, in the file of the main flow. */
export const otherFlowSchema = flowSchema
  .omit({ format: true, version: true })
  .extend({ id, title: z.string().trim().min(1).max(flowCaps.flowTitle) })

/** A file's content: a flow and, for a whole chatbot, its other flows in order. */
export const flowFileSchema = flowSchema.extend({ flows: z.array(otherFlowSchema).max(flowCaps.flows).optional() })

export type Variable = z.infer<typeof variableSchema>
export type Block = z.infer<typeof blockSchema>
export type Group = z.infer<typeof groupSchema>
export type Edge = z.infer<typeof edgeSchema>
export type Flow = z.infer<typeof flowSchema>
export type FlowFile = z.infer<typeof flowFileSchema>
/** A flow of a chatbot besides its main one; blocks enter it by its id. */
export interface OtherFlow {
  id: string
  title: string
  flow: Flow
}
/** All flows of a chatbot. */
export interface ChatbotFlows {
  main: Flow
  others: OtherFlow[]
}
export type EdgeTarget = Edge['to']

export const emptyFlow = (): Flow => ({
  format: FLOW_FORMAT,
  version: FLOW_FORMAT_VERSION,
  groups: [],
  edges: [],
  variables: [],
})
