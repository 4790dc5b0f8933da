import type { RecordKind } from '../pages/records'
import { createRecord, findRecord, updateRecord } from './records'
import type { Field } from './schema'
import { recordsOf, type SalesforceState, type Value } from './state'

/** @returns a page for each object of the org */
export const salesforceKinds = (state: SalesforceState): RecordKind[] =>
  state.objects.map((sobject) => {
    const read = (values: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          valueOfField(
            sobject.fields.find((field) => field.name === name),
            value,
          ),
        ]),
      )
    return {
      key: sobject.name,
      title: sobject.label === sobject.name ? `${sobject.label}s` : sobject.label,
      columns: [
        { name: 'Id', label: 'Id', isFixed: true },
        ...sobject.fields
          .filter(({ readOnly }) => !readOnly)
          .map(({ name, label, type, picklist }) => ({
            name,
            label,
            isLong: type === 'textarea',
            options: type === 'boolean' ? ['true', 'false'] : picklist && ['', ...picklist],
          })),
      ],
      empty: `There is no ${sobject.label} yet.`,
      rows: () =>
        recordsOf(state, sobject).map(({ id, values }) => ({
          id,
          values: {
            ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')])),
            Id: id,
          },
        })),
      add: (values) => void createRecord(state, sobject, read(values), true),
      change: (id, values) => updateRecord(state, sobject, findRecord(state, sobject, id), read(values)),
      remove: (id) => void state.records.delete(id),
    }
  })

const valueOfField = (field: Field | undefined, value: string): Value => {
  if (field?.type === 'boolean') return value === 'true'
  return field?.type === 'double' && value !== '' ? Number(value) : value
}
