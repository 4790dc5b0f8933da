import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter, ImportContext } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { type AiAnswerData, aiAnswerDefaults, INSTRUCTIONS_CAP } from './schema'

/**
 * Blocks that ask a provider's model. Model and account are settings of the installation here; the model always knows
 * the conversation, so no variable is needed for it.
 */
export const aiAnswerFromTypebot: BlockImporter = {
  product: 'typebot',
  types: [
    'OpenAI',
    'openai',
    'anthropic',
    'mistral',
    'groq',
    'together-ai',
    'open-router',
    'deepseek',
    'perplexity',
    'dify-ai',
    'zemantic-ai',
    'chat-node',
  ],
  map(block, context) {
    const options = fieldsOf(block.options)
    const action = textOf(options.action) || textOf(options.task) || 'Create chat completion'
    if (!ANSWERS.has(action.toLowerCase()))
      return { notMapped: `An AI answer can't do what '${action.slice(0, 60)}' does.` }
    noteOthers(options, KNOWN, context)
    const temperature = fieldsOf(options.advancedSettings).temperature ?? options.temperature
    if (textOf(options.model)) {
      context.note(
        `The model '${textOf(options.model).slice(0, 60)}' is not carried over: the chatbot's model answers.`,
      )
    }
    const { instructions, question } = promptOf(options, context)
    const data: AiAnswerData = {
      ...aiAnswerDefaults(),
      source: 'model',
      instructions: context.text(instructions, INSTRUCTIONS_CAP),
      question: context.text(question, caps.userMessage),
      temperature: temperatureOf(temperature, context),
      say: false,
      saveTo: savedTo(options, context),
    }
    // without a variable the answer would be lost
    return { data: { ...data, say: data.saveTo === null }, ports: { default: 'next' } }
  },
}

/** Actions of these providers that return a text, in lower case. */
const ANSWERS = new Set([
  'create chat completion',
  'create chat message',
  'ask assistant',
  'send message',
  'search in knowledge base',
  'ask',
])

const KNOWN = [
  'action',
  'task',
  'model',
  'messages',
  'systemMessage',
  'query',
  'message',
  'temperature',
  'advancedSettings',
  'responseMapping',
  'credentialsId',
  // the provider's user id, and its stored conversation
  'user',
  'conversationVariableId',
  'threadVariableId',
  'threadId',
  'baseUrl',
  'apiVersion',
]

/** System messages become instructions, the visitor's last one the question; those between were examples. */
function promptOf(options: Fields, context: ImportContext): { instructions: string; question: string } {
  const messages = listOf(options.messages).map(fieldsOf)
  const last = messages.findLastIndex(({ role, content }) => role === 'user' && textOf(content) !== '')
  const isAsked = last >= 0 && !messages.slice(last + 1).some(isDialogue)
  const instructions = [textOf(options.systemMessage)]
  const examples: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const text = textOf(content)
    if (text === '' || (isAsked && index === last)) continue
    if (role === 'system') instructions.push(text)
    else examples.push(`${role === 'assistant' ? 'You' : 'Visitor'}: ${text}`)
  }
  if (examples.length > 0) {
    instructions.push(`This was said before:\n${examples.join('\n')}`)
    context.note('Messages before the question became a part of the instructions.')
  }
  if (textOf(options.assistantId)) context.note('Its assistant is with its provider: write its instructions here.')
  const question = isAsked ? textOf(messages[last]?.content) : textOf(options.query) || textOf(options.message)
  if (isAsked || question !== '') return { instructions: joined(instructions), question }
  if (!messages.some(isDialogue) && instructions.some((text) => text !== '')) {
    // a single instruction is the whole prompt
    return { instructions: '', question: joined(instructions) }
  }
  return { instructions: joined(instructions), question: '' }
}

/** The conversation, from a variable. */
const isDialogue = ({ role, dialogueVariableId, startsBy }: Fields): boolean =>
  role === 'Dialogue' || [dialogueVariableId, startsBy].some((field) => textOf(field) !== '')

export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

/** Up to 2 there, up to 1 with one decimal here. */
export function temperatureOf(value: unknown, context: ImportContext): number | null {
  const given = numberOf(value)
  if (given === undefined) return aiAnswerDefaults().temperature
  const taken = Math.round(Math.min(1, Math.max(0, given)) * 10) / 10
  if (taken !== given) context.note(`The temperature ${given} became ${taken}.`)
  return taken
}

/** Unnamed rows mean the answer; tokens and ids of the provider don't exist here. */
function savedTo(options: Fields, context: ImportContext): string | null {
  const rows = listOf(options.responseMapping).map(fieldsOf)
  const isAnswer = ({ item, valueToExtract }: Fields) =>
    ['', 'message content', 'answer', 'summary'].includes((textOf(item) || textOf(valueToExtract)).toLowerCase())
  const others = rows
    .filter((row) => !isAnswer(row))
    .map(({ item, valueToExtract }) => textOf(item) || textOf(valueToExtract))
  if (others.length > 0)
    context.note(`Of what came back only the answer can be kept, not ${others.join(', ').slice(0, 200)}.`)
  const [first, ...more] = rows.filter((row) => isAnswer(row) && textOf(row.variableId) !== '')
  if (more.length > 0) context.note('The answer is kept in the first of its variables alone.')
  return first ? context.variable(first.variableId) : null
}
