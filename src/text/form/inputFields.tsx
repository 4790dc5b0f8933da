import { caps } from '../../../engine/values/caps'
import { DynamicField, RichTextField } from './textFields'
import { VariableField } from './VariableField'
import { NumberField, ToggleField } from './valueFields'

/** What every input kind asks first (engine/flow/inputFields.ts): the question and where its answer goes. */
export function AnswerFields() {
  return (
    <>
      <RichTextField name="prompt" max={caps.text} />
      <DynamicField name="placeholder" max={caps.placeholder} />
      <VariableField name="saveTo" />
    </>
  )
}

/** What happens with no answer, or one that is not valid. */
export function RetryFields() {
  return (
    <>
      <ToggleField name="required" />
      <RichTextField name="retryText" max={caps.text} />
      <NumberField name="attempts" />
    </>
  )
}
