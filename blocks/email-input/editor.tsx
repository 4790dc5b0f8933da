import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { type EmailInputData, emailInputSchema } from './schema'

export default function EmailInputEditor(props: BlockEditorProps<EmailInputData>) {
  return (
    <BlockForm editor={props} schema={emailInputSchema}>
      <AnswerFields />
      <RetryFields />
    </BlockForm>
  )
}
