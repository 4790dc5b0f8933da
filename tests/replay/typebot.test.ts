import { expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import type { Reply } from '../../engine/flow/effects'
import { createCountingIds } from '../../engine/flow/ids'
import { importFlow } from '../../engine/interop/importFlow'
import { createProgram } from '../../engine/run/program'
import { converse, type Visitor } from '../../engine/run/recording'
import { typebotFiles, typebotSource } from '../support/typebot'

/** Talks to an imported file: a reply is a button's label or a text. Gives what the bot said, in order, and how it ended. */
function talk(name: string, replies: string[]) {
  const { flow } = importFlow(typebotSource(name), registry, createCountingIds('new'))
  const visitor: Visitor = (request, turn): Reply | null => {
    const reply = replies[turn]
    if (reply === undefined) return null
    if (request.input !== 'choice') return { type: 'text', text: reply }
    const option = request.options.find(({ label }) => label === reply)
    if (!option)
      throw new Error(`There is no button '${reply}' among ${request.options.map(({ label }) => label).join(', ')}.`)
    return { type: 'choice', optionIds: [option.id] }
  }
  const { turns, session } = converse(createProgram(flow, registry), visitor, () => null)
  const said = turns.flatMap(({ messages }) =>
    messages.map((message) =>
      message.kind === 'text'
        ? message.text.map(({ children }) => children.map(({ text }) => text).join('')).join('\n')
        : message.url,
    ),
  )
  const variables = Object.fromEntries(flow.variables.map(({ id, name }) => [name, session.variables[id]]))
  return { said, status: session.status, turns: turns.length, variables, stopped: turns.at(-1)?.stopped }
}

test('lead gen: a visitor leaves name, email, service and needs', () => {
  const replies = ['Hi!', 'Ada', 'not an address', 'ada@example.com', 'Website dev', 'A shop']
  const { said, status, variables } = talk('template__lead-gen.json', replies)
  expect(status).toBe('ended')
  expect(said).toContain('Great! Nice to meet you Ada')
  expect(said.at(-1)).toBe("We'll get back to you at ada@example.com")
  expect(variables).toMatchObject({ Name: 'Ada', Email: 'ada@example.com' })
})

test('FAQ: a visitor reads an answer, comes back to the menu by a jump, and asks a question', () => {
  const replies = [
    "What's Analyzr?",
    'Sounds good!',
    'Can I use your tool for free?',
    "What's an event?",
    'Ok, got it!',
  ]
  const { said, status } = talk('template__faq.json', [...replies, 'I have another question', 'Is it on-premise?'])
  expect(status).toBe('ended')
  expect(said).toContain('An event is a user event on your website.')
  expect(said.at(-1)).toBe("Alright, we'll reach out to you very soon. Thank you so much 💙")
})

test('lead scoring: points add up, and the score decides about the end', () => {
  const qualified = talk('template__lead-scoring.json', ['Yes', 'Parley', '31', 'Marketing Officer', 'Norway'])
  expect(qualified.status).toBe('ended')
  expect(qualified.variables).toMatchObject({ 'Lead Score': 50, 'Team size': 31, Company: 'Parley' })
  expect(qualified.said.at(-1)).toBe("We'll get back to you ASAP. 👋")
  const other = talk('template__lead-scoring.json', ['No', 'Product Owner', 'United States'])
  expect(other.variables).toMatchObject({ 'Lead Score': '10' })
  expect(other.said.at(-1)).toBe('Bye bye 👋')
})

test('condition: branches that nobody finished do not hold, so the default edge is taken', () => {
  const { said, status } = talk('builder-test__logic__condition.json', ['15'])
  expect(status).toBe('ended')
  expect(said).toEqual(['How old are you?', 'You are younger than 20'])
})

test.each(typebotFiles())('%s runs with a visitor who always takes the first way', (name) => {
  const { flow } = importFlow(typebotSource(name), registry, createCountingIds('new'))
  const visitor: Visitor = (request) => {
    if (request.input === 'choice')
      return { type: 'choice', optionIds: request.options.slice(0, 1).map(({ id }) => id) }
    return { type: 'text', text: request.input === 'email' ? 'ada@example.com' : '7' }
  }
  const { turns } = converse(createProgram(flow, registry), visitor, () => null, { maxTurns: 100 })
  for (const { stopped, trace } of turns) {
    expect(stopped).toBeNull()
    expect(trace.filter(({ note }) => note)).toEqual([])
  }
  expect(turns.at(-1)?.session.status === 'ended' || turns.length === 100).toBe(true)
})
