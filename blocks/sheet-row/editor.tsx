import { sheetActions } from '../../engine/effects/sheets'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { sheetCaps } from '../../engine/values/sheets'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ChoiceField } from '../../src/text/form/ChoiceField'
import { ConnectionField } from '../../src/text/form/ConnectionField'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField } from '../../src/text/form/textFields'
import type { ChoiceSource } from '../../src/text/form/useChoices'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField } from '../../src/text/form/valueFields'
import {
  findsRows,
  matchKinds,
  matchOf,
  type SheetRowData,
  setsCells,
  sheetRowSchema,
  whichOf,
  whichRows,
} from './schema'
import { TrySheet } from './TrySheet'

export default function SheetRowEditor(props: BlockEditorProps<SheetRowData>) {
  const { data, setData } = props
  const { connection, spreadsheet, tab } = data
  const columns: ChoiceSource = {
    connection: tab ? connection : null,
    list: 'columns',
    within: [spreadsheet?.id ?? '', String(tab?.id ?? '')],
  }
  return (
    <BlockForm editor={props} schema={sheetRowSchema}>
      <SelectField name="action" options={sheetActions} preset />
      <ConnectionField name="connection" vendor="google-sheets" vendorName="Google Sheets" />
      <ChoiceField<SheetRowData['spreadsheet']>
        name="spreadsheet"
        source={{ connection, list: 'spreadsheets', within: [] }}
        choiceOf={(value) => value && { id: value.id, label: value.name }}
        toValue={({ id, label }) => ({ id, name: label })}
        // another spreadsheet has other tabs
        onPick={(value) => setData({ spreadsheet: value, ...(value?.id !== spreadsheet?.id && { tab: null }) })}
        searches
      />
      <ChoiceField<SheetRowData['tab']>
        name="tab"
        source={{ connection: spreadsheet ? connection : null, list: 'tabs', within: [spreadsheet?.id ?? ''] }}
        choiceOf={(value) => value && { id: String(value.id), label: value.title }}
        toValue={({ id, label }) => ({ id: Number(id), title: label })}
      />
      {findsRows(data) && <RowsFields data={data} columns={columns} />}
      {setsCells(data) && (
        <ListField
          name="cells"
          max={sheetCaps.columns}
          cards
          create={(id) => ({ id: id(), column: '', value: staticValue('') })}
        >
          {(path) => (
            <>
              <ColumnField name={`${path}.column`} source={columns} hiddenLabel />
              <DynamicField name={`${path}.value`} max={caps.setVariable} hiddenLabel />
            </>
          )}
        </ListField>
      )}
      <TrySheet data={data} readOnly={props.readOnly} />
      {data.action === 'get' && (
        <>
          <ListField
            name="outputs"
            max={sheetCaps.columns}
            cards
            create={(id) => ({ id: id(), column: '', saveTo: null })}
          >
            {(path) => (
              <>
                <ColumnField name={`${path}.column`} source={columns} hiddenLabel />
                <VariableField name={`${path}.saveTo`} hiddenLabel />
              </>
            )}
          </ListField>
          <VariableField name="saveRowsTo" />
        </>
      )}
      {findsRows(data) && <VariableField name="saveCountTo" />}
    </BlockForm>
  )
}

/** Which rows are meant. */
function RowsFields({ data, columns }: { data: SheetRowData; columns: ChoiceSource }) {
  const isGet = data.action === 'get'
  const match = matchOf(data)
  return (
    <>
      <SelectField name="matchBy" options={isGet ? matchKinds : matchKinds.filter((kind) => kind !== 'none')} />
      {match === 'column' && (
        <>
          <ColumnField name="matchColumn" source={columns} />
          <DynamicField name="matchValue" max={caps.setVariable} />
        </>
      )}
      {match === 'row' && <DynamicField name="row" max={20} />}
      {match !== 'row' && (
        <SelectField name="which" options={isGet ? whichRows : whichRows.filter((which) => which !== 'random')} />
      )}
      {isGet && match !== 'row' && whichOf(data) === 'all' && <NumberField name="limit" />}
    </>
  )
}

/** The name of a column, as the tab's first row says. */
function ColumnField({ name, source, hiddenLabel }: { name: string; source: ChoiceSource; hiddenLabel?: boolean }) {
  return (
    <ChoiceField<string>
      name={name}
      source={source}
      choiceOf={(column) => (column === '' ? null : { id: column, label: column })}
      toValue={({ id }) => id}
      hiddenLabel={hiddenLabel ?? false}
    />
  )
}
