import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { DynamicField } from '../../src/text/form/textFields'
import { type LocationData, locationSchema, MOST_NUMBER, MOST_WORDS } from './schema'

export default function LocationEditor(props: BlockEditorProps<LocationData>) {
  return (
    <BlockForm editor={props} schema={locationSchema}>
      <DynamicField name="name" max={MOST_WORDS} />
      <DynamicField name="address" max={MOST_WORDS} />
      <FieldPair>
        <DynamicField name="latitude" max={MOST_NUMBER} />
        <DynamicField name="longitude" max={MOST_NUMBER} />
      </FieldPair>
    </BlockForm>
  )
}
