import { counts } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ConditionFields } from '../../src/text/form/ConditionFields'
import { ListField } from '../../src/text/form/ListField'
import { type ConditionData, conditionSchema, newBranch } from './schema'

export default function ConditionEditor(props: BlockEditorProps<ConditionData>) {
  const { branches } = props.data
  return (
    <BlockForm editor={props} schema={conditionSchema}>
      <ListField name="branches" max={counts.branches} min={1} create={newBranch} cards>
        {(path, index) => <ConditionFields path={path} condition={branches[index]} />}
      </ListField>
    </BlockForm>
  )
}
