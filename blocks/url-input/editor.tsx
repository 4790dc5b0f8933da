import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { type UrlInputData, urlInputSchema } from './schema'

export default function UrlInputEditor(props: BlockEditorProps<UrlInputData>) {
  return (
    <BlockForm editor={props} schema={urlInputSchema}>
      <AnswerFields />
      <RetryFields />
    </BlockForm>
  )
}
