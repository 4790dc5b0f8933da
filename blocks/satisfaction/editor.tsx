import { caps, counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { answerTypes, isNamed, levelCount, type SatisfactionData, satisfactionSchema, scales } from './schema'

export default function SatisfactionEditor(props: BlockEditorProps<SatisfactionData>) {
  const { answer } = props.data
  return (
    <BlockForm editor={props} schema={satisfactionSchema}>
      <RichTextField name="prompt" max={caps.text} />
      <SelectField name="answer" options={answerTypes} />
      {answer === 'rating' && <RatingFields data={props.data} />}
      {(answer === 'single' || answer === 'multiple') && <Options name="options" max={counts.options} min={0} />}
      {answer === 'text' && <DynamicField name="placeholder" max={caps.placeholder} />}
      <VariableField name="saveTo" />
      <ToggleField name="required" />
      <ListenFieldset />
    </BlockForm>
  )
}

function RatingFields({ data }: { data: SatisfactionData }) {
  return (
    <>
      <SelectField name="scale" options={scales} />
      {isNamed(data.scale) ? (
        <Options name="levels" max={levelCount.max} min={levelCount.min} />
      ) : (
        <NumberField name="points" />
      )}
      {data.scale === 'numbers' && <ToggleField name="zero" />}
      <NumberField name="low" optional />
    </>
  )
}

function Options({ name, min, max }: { name: string; min: number; max: number }) {
  return (
    <ListField name={name} min={min} max={max} create={(id) => ({ id: id(), label: staticValue('') })}>
      {(path) => <DynamicField name={`${path}.label`} max={caps.label} hiddenLabel />}
    </ListField>
  )
}
