import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField, ToggleField } from '../../src/text/form/valueFields'
import { HookAddress } from './HookAddress'
import { answers, newMapping, WEBHOOK_VALUES, type WebhookData, webhookSchema } from './schema'

/** Paths are the same in every language. */
const EXAMPLES = { value: '$.order.id', conversation: '$.conversation' }

export default function WebhookEditor(props: BlockEditorProps<WebhookData>) {
  const { data } = props
  return (
    <BlockForm editor={props} schema={webhookSchema}>
      <HookAddress blockId={props.blockId} data={data} setData={props.setData} readOnly={props.readOnly} />
      <ListField name="mapping" max={WEBHOOK_VALUES} create={newMapping} cards>
        {(path) => (
          <>
            <LineField name={`${path}.path`} hiddenLabel placeholder={EXAMPLES.value} />
            <VariableField name={`${path}.variableId`} hiddenLabel needed />
            <ToggleField name={`${path}.required`} />
          </>
        )}
      </ListField>
      <SelectField name="answer" options={answers} />
      <Details name="goesOn" open={data.conversationPath !== '' || data.keyPath !== ''}>
        <LineField name="conversationPath" placeholder={EXAMPLES.conversation} />
        <LineField name="keyPath" placeholder={EXAMPLES.value} />
        <ToggleField name="resumes" />
      </Details>
    </BlockForm>
  )
}
