import type { NodeImporter } from '../../engine/interop/importer'

const LOOPS =
  'Loops that end by a condition are not here: build it from a condition, with an edge back to where it begins.'
const REPEATS =
  'Its list is not in the file, or it stands within another one: take the first item out of a list with set variable, and lead an edge back.'
const CODE = 'Code from a file is not run: set a variable by an expression, or call what does it by an HTTP request.'

const dify: Readonly<Record<string, string>> = {
  code: CODE,
  'template-transform':
    'A template with code (Jinja) is not run: write its text into a text or a set variable, with variables in it.',
  tool: 'Tools of plugins are not here: call the service by an HTTP request, or give an AI answer a tool server.',
  iteration: REPEATS,
  'iteration-start': 'It began each round of an iteration that is kept beside it: remove it with that.',
  loop: LOOPS,
  'loop-start': 'It began each round of a loop that is kept beside it: remove it with that.',
  'loop-end': 'It left a loop that is kept beside it: remove it with that.',
  'document-extractor': 'Texts are not taken out of files in a conversation: add documents to the data sources.',
  'list-operator': 'Filter and sort lists by an expression in a set variable.',
  datasource: 'Sources are added under Data sources.',
  'human-input': 'A person’s decision is asked for by buttons, or by a hand-off.',
}

const flowise: Readonly<Record<string, string>> = {
  customFunctionAgentflow: CODE,
  toolAgentflow:
    'Tools of its components are not here: call the service by an HTTP request, or give an AI answer a tool server.',
  iterationAgentflow:
    'Its list is no value that the file has, or a person decides or something loops within it: take the first item out of a list with set variable, and lead an edge back.',
}

/** Unsupported nodes, each with the reason and an alternative. */
export const placeholderFromDify: NodeImporter = {
  product: 'dify',
  types: Object.keys(dify),
  map: ({ type }) => ({ notMapped: dify[type] ?? '' }),
}
export const placeholderFromFlowise: NodeImporter = {
  product: 'flowise',
  types: Object.keys(flowise),
  map: ({ type }) => ({ notMapped: flowise[type] ?? '' }),
}
