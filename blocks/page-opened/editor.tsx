import { counts } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { newPage, type PageOpenedData, pageOpenedSchema, pageRules } from './schema'

export default function PageOpenedEditor(props: BlockEditorProps<PageOpenedData>) {
  return (
    <BlockForm editor={props} schema={pageOpenedSchema}>
      <ListField name="pages" max={counts.options} min={1} create={newPage} cards>
        {(path) => (
          <>
            <SelectField name={`${path}.rule`} options={pageRules} hiddenLabel />
            <LineField name={`${path}.url`} hiddenLabel />
          </>
        )}
      </ListField>
      <NumberField name="delay" />
      <SelectField name="shows" options={['open', 'teaser']} />
      <ToggleField name="onceAVisit" />
      <VariableField name="saveUrl" />
    </BlockForm>
  )
}
