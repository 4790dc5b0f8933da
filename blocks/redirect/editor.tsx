import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { ToggleField } from '../../src/text/form/valueFields'
import { type RedirectData, redirectSchema } from './schema'

export default function RedirectEditor(props: BlockEditorProps<RedirectData>) {
  return (
    <BlockForm editor={props} schema={redirectSchema}>
      <DynamicField name="url" max={caps.url} />
      <ToggleField name="newTab" />
    </BlockForm>
  )
}
