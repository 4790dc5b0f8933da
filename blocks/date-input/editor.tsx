import { useMemo } from 'react'
import { dateModes } from '../../engine/values/date'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { AnswerFields, RetryFields } from '../../src/text/form/inputFields'
import { PickField } from '../../src/text/form/PickField'
import { DynamicField } from '../../src/text/form/textFields'
import { SelectField, ToggleField } from '../../src/text/form/valueFields'
import { type DateInputData, dateInputSchema, LIMIT_CAP } from './schema'

export default function DateInputEditor(props: BlockEditorProps<DateInputData>) {
  const zones = useMemo(
    () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone })),
    [],
  )
  return (
    <BlockForm editor={props} schema={dateInputSchema}>
      <AnswerFields />
      <SelectField name="mode" options={dateModes} />
      <ToggleField name="range" />
      <FieldPair>
        <DynamicField name="min" max={LIMIT_CAP} />
        <DynamicField name="max" max={LIMIT_CAP} />
      </FieldPair>
      {props.data.mode !== 'time' && <PickField name="timeZone" data={zones} />}
      <RetryFields />
    </BlockForm>
  )
}
