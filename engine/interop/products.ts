import { type Fields, fieldsOf, isFields, listOf, textOf } from './fields'

/** A product whose files can't be read, with what to do instead. */
export interface OtherProduct {
  /** its usual name */
  name: string
  /** what a person can do with such a file, as a sentence */
  instead: string
}

/** What a file contains, by characteristics of the product that wrote it. */
export type Recognised =
  | { product: 'typebot' | 'dify' | 'flowise'; file: Fields }
  | { product: 'other'; other: OtherProduct }
  | null

/**
 * Recognises a product by the structure of its files, not by version fields. Unwraps up to two levels
 * (`{ "typebot": … }`, `{ "data": … }`, a list of one). null: not a flow of a known product.
 */
export function recognise(value: unknown): Recognised {
  const layers = unwrapped(value)
  for (const file of layers) {
    if (isTypebot(file)) return { product: 'typebot', file }
    if (isDifyFlow(file)) return { product: 'dify', file }
    if (isAgentflow(file)) return { product: 'flowise', file }
  }
  const other = layers.flatMap((file) => others.filter(({ is }) => is(file)))[0]
  return other ? { product: 'other', other: { name: other.name, instead: other.instead } } : null
}

const WRAPPERS = ['typebot', 'publicTypebot', 'bot', 'flow', 'flowData', 'chatflow', 'data']

/** The value and what it wraps, outermost first; a wrapped text is parsed if it is JSON. */
function unwrapped(value: unknown): Fields[] {
  const layers: Fields[] = []
  let inner: unknown = value
  for (let depth = 0; depth < 4; depth++) {
    if (Array.isArray(inner) && inner.length === 1) inner = inner[0]
    if (typeof inner === 'string') inner = parsed(inner)
    if (!isFields(inner)) break
    const layer: Fields = inner
    layers.push(layer)
    inner = WRAPPERS.map((name) => layer[name]).find((each) => isFields(each) || typeof each === 'string')
  }
  return layers
}

function parsed(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/**
 * Groups with blocks, and edges; older files call them blocks and steps. Other defects of the file are reported by its
 * reader.
 */
function isTypebot(file: Fields): boolean {
  if ('nodes' in file) return false
  if ('groups' in file) return true
  return (
    'blocks' in file && ('edges' in file || listOf(file.blocks).some((block) => Array.isArray(fieldsOf(block).steps)))
  )
}

const graphOf = (file: Fields): Fields => fieldsOf(fieldsOf(file.workflow).graph)

/** A Dify app with a graph: a chatflow or a workflow. */
const isDifyFlow = (file: Fields): boolean => Array.isArray(graphOf(file).nodes)

const namesOf = (file: Fields): string[] => listOf(file.nodes).map((node) => textOf(fieldsOf(fieldsOf(node).data).name))

/** A Flowise agentflow (V2), recognised by its node names. */
const isAgentflow = (file: Fields): boolean => namesOf(file).some((name) => /Agentflow$/.test(name))

const hasNodeWith = (file: Fields, test: (data: Fields, node: Fields) => boolean): boolean =>
  listOf(file.nodes).some((node) => test(fieldsOf(fieldsOf(node).data), fieldsOf(node)))

const has = (file: Fields, ...names: string[]): boolean => names.every((name) => name in file)

const others: readonly (OtherProduct & { is: (file: Fields) => boolean })[] = [
  {
    name: 'n8n',
    instead: 'A workflow runs without a visitor: keep it there, and call its webhook by an HTTP request.',
    is: (file) => Array.isArray(file.nodes) && isFields(file.connections),
  },
  {
    name: 'Dify, without a flow',
    instead:
      'Only its chatflows and workflows are drawn: write this app’s prompt into the instructions of an AI answer.',
    is: (file) => has(file, 'app') && (has(file, 'model_config') || file.kind === 'app'),
  },
  {
    name: 'Flowise, from before its agentflows (V2)',
    instead: 'Its chatflows are chains of components: build an agentflow there and export that, or use an AI answer.',
    is: (file) => hasNodeWith(file, (data) => 'inputAnchors' in data || 'outputAnchors' in data),
  },
  {
    name: 'Langflow',
    instead: 'It draws how a model is put together: use an AI answer, with your sources as its knowledge.',
    is: (file) => hasNodeWith(file, (data) => isFields(data.node) && isFields(fieldsOf(data.node).template)),
  },
  {
    name: 'Botpress',
    instead: 'Build its conversation anew, from a template perhaps; texts can be copied.',
    is: (file) =>
      has(file, 'startNode', 'nodes') ||
      has(file, 'catchAll', 'nodes') ||
      listOf(file.flows).some((flow) => has(fieldsOf(flow), 'startNode', 'nodes')),
  },
  {
    name: 'Voiceflow',
    instead: 'Build its conversation anew, from a template perhaps; texts can be copied.',
    is: (file) => isFields(file.diagrams) || (isFields(file.version) && isFields(file.project)),
  },
  {
    name: 'Rasa',
    instead: 'Copy the examples of each intent into an intent block, and its responses into texts.',
    is: (file) =>
      has(file, 'version') && ['nlu', 'stories', 'rules', 'responses', 'intents'].some((name) => name in file),
  },
  {
    name: 'Landbot',
    instead: 'Build its conversation anew, from a template perhaps; texts can be copied.',
    is: (file) =>
      Object.values(file)
        .slice(0, 20)
        .some((node) => /^__\w{1,60}__$/.test(textOf(fieldsOf(node).function))),
  },
  {
    name: 'ManyChat',
    instead: 'It exports no flows, only single messages: build its conversation anew.',
    is: (file) => file.version === 'v2' && isFields(file.content) && Array.isArray(fieldsOf(file.content).messages),
  },
  {
    name: 'Chatfuel',
    instead: 'It exports no flows, only single messages: build its conversation anew.',
    is: (file) => Array.isArray(file.messages) && (has(file, 'redirect_to_blocks') || has(file, 'set_attributes')),
  },
  {
    name: 'another drawing program',
    instead: 'Its nodes say nothing of a conversation that is known here: build it anew.',
    is: (file) => Array.isArray(file.nodes) && Array.isArray(file.edges),
  },
]
