import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

test('variables that a model filled from a prompt are found in that text', () => {
  const { kind, data, variable, notes } = importBlock(
    {
      type: 'openai',
      options: {
        action: 'Generate variables',
        model: 'gpt-4',
        prompt: 'Find them in {{Text}}',
        variablesToExtract: [
          { variableId: 'v-Text', type: 'string', description: 'The first name' },
          { variableId: 'v-Text', type: 'enum', values: ['Pro', ''], description: '' },
          { variableId: 'v-Text', type: 'boolean', description: 'Wants news' },
        ],
      },
    },
    'Text',
  )
  expect(kind).toBe('ai-extract')
  expect(data).toMatchObject({
    from: 'text',
    text: { parts: [{ text: 'Find them in ' }, { variable_id: variable }] },
    fields: [
      { name: 'The first name', type: 'text', saveTo: variable },
      { name: 'Value 2', type: 'choice', choices: [{ label: 'Pro' }] },
      { name: 'Wants news', type: 'yes-no' },
    ],
  })
  expect(notes).toEqual(["The model 'gpt-4' is not carried over: the model of the AI settings is used."])
})
