import type { InputFields, ListenFields } from '../../../engine/flow/inputFields'
import { caps, counts } from '../../../engine/values/caps'
import { staticValue } from '../../../engine/values/dynamicValue'
import { Details } from './Details'
import { useForm } from './formContext'
import { IntentsField } from './IntentsField'
import { ListField } from './ListField'
import { DynamicField, RichTextField } from './textFields'
import { VariableField } from './VariableField'
import { NumberField, ToggleField } from './valueFields'

/** The first fields of every input kind (engine/flow/inputFields.ts): the question and the variable of its answer. */
export function AnswerFields() {
  const { quickReplies } = useForm().data as Partial<InputFields>
  return (
    <>
      <RichTextField name="prompt" max={caps.text} />
      <DynamicField name="placeholder" max={caps.placeholder} />
      <VariableField name="saveTo" />
      <Details name="quickReplies" open={(quickReplies?.length ?? 0) > 0}>
        <ListField
          name="quickReplies"
          hiddenLabel
          max={counts.quickReplies}
          create={(id) => ({ id: id(), label: staticValue('') })}
        >
          {(path) => <DynamicField name={`${path}.label`} max={caps.quickReply} hiddenLabel />}
        </ListField>
      </Details>
    </>
  )
}

/** What happens without an answer, after an invalid one, or one that is an intent. */
export function RetryFields() {
  return (
    <>
      <ToggleField name="required" />
      <RichTextField name="retryText" max={caps.text} />
      <NumberField name="attempts" />
      <ListenFieldset />
    </>
  )
}

/** How long a question waits, and which intents it listens for. */
export function ListenFieldset() {
  const { noReplyAfter, intents, interruptible } = useForm().data as Partial<ListenFields>
  const open = (noReplyAfter ?? null) !== null || (intents?.length ?? 0) > 0 || interruptible === false
  return (
    <Details name="listen" open={open}>
      <NumberField name="noReplyAfter" optional />
      <IntentsField name="intents" />
      <ToggleField name="interruptible" />
    </Details>
  )
}
