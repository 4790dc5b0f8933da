import { listOf, textOf } from '../../engine/interop/fields'
import type { NodeImporter } from '../../engine/interop/importer'

/** An answer, the opening statement, and a workflow's outputs at its end. */
export const textFromDify: NodeImporter = {
  product: 'dify',
  types: ['answer', 'opening', 'end'],
  map(block, context) {
    if (block.type !== 'end') {
      const said = block.type === 'answer' ? block.answer : block.text
      if (/^\s*\{\{#[^#]*\.text#\}\}\s*$/.test(textOf(said)))
        context.note('Formatting (Markdown) in what the model wrote is said as it stands.')
      return { data: { content: context.richText(said) }, ports: { default: 'next' } }
    }
    const outputs = listOf(block.outputs).map((output) => Object(output) as Record<string, unknown>)
    context.note('A workflow gave its outputs to a program: here they are said.')
    const lines = outputs.map(({ variable, value_selector }) => {
      const shown = `{{#${listOf(value_selector).map(textOf).join('.')}#}}`
      return outputs.length > 1 ? `${textOf(variable)}: ${shown}` : shown
    })
    return { data: { content: context.richText(lines.join('\n\n')) }, ports: { default: 'next' } }
  },
}
