import { caps, counts } from '../../engine/values/caps'
import { comparisonOperators } from '../../engine/values/compare'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { SelectField } from '../../src/text/form/valueFields'
import { needsValue } from './operators'
import { type Comparison, type ConditionData, conditionSchema, newBranch, newComparison } from './schema'

export default function ConditionEditor(props: BlockEditorProps<ConditionData>) {
  const { branches } = props.data
  return (
    <BlockForm editor={props} schema={conditionSchema}>
      <ListField name="branches" max={counts.branches} min={1} create={newBranch} cards>
        {(path, index) => (
          <>
            {(branches[index]?.comparisons.length ?? 0) > 1 && (
              <SelectField name={`${path}.match`} options={['all', 'any']} hiddenLabel />
            )}
            <ListField
              name={`${path}.comparisons`}
              max={counts.comparisons}
              create={newComparison}
              min={1}
              fixed
              hiddenLabel
            >
              {(place, at) => <ComparisonFields path={place} comparison={branches[index]?.comparisons[at]} />}
            </ListField>
          </>
        )}
      </ListField>
    </BlockForm>
  )
}

function ComparisonFields({ path, comparison }: { path: string; comparison: Comparison | undefined }) {
  return (
    <>
      <VariableField name={`${path}.variableId`} needed hiddenLabel />
      <SelectField name={`${path}.operator`} options={comparisonOperators} hiddenLabel />
      {comparison && needsValue(comparison.operator) && (
        <DynamicField name={`${path}.value`} max={caps.comparison} hiddenLabel />
      )}
    </>
  )
}
