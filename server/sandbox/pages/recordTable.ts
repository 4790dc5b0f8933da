import { type Html, html } from './html'
import type { Column, RecordKind, ShownRecord } from './records'

/** A table in which each row is a form of its own. */
export function recordTable(kind: RecordKind, rows: readonly ShownRecord[], address: string): Html {
  const { title, columns, change, remove, actions = [] } = kind
  const hasButtons = change !== undefined || remove !== undefined || actions.length > 0
  return html`${rows.map(({ id }) => html`<form id="${formOf(id)}" method="post" action="${address}/${encodeURIComponent(id)}"></form>`)}
<div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table class="records">
<thead><tr>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}${hasButtons && html`<th scope="col" class="does">Actions</th>`}</tr></thead>
<tbody>${rows.map(
    (row, at) =>
      html`<tr>${columns.map((column) => cell(kind, column, row, at))}${
        hasButtons &&
        html`<td class="does"><div class="row">${change && html`<button form="${formOf(row.id)}" name="do" value="save" aria-label="Save row ${at + 1}">Save</button>`}${actions.map(
          ({ name, label }) =>
            html`<button form="${formOf(row.id)}" name="do" value="${name}" class="plain">${label}</button>`,
        )}${remove && html`<button form="${formOf(row.id)}" name="do" value="remove" class="danger" aria-label="Delete row ${at + 1}">Delete</button>`}</div></td>`
      }</tr>`,
  )}</tbody></table></div>`
}

function cell({ change }: RecordKind, column: Column, { id, values }: ShownRecord, at: number): Html {
  const value = values[column.name] ?? ''
  if (column.isFixed || !change) return html`<td class="fixed" data-label="${column.label}">${value}</td>`
  return html`<td data-label="${column.label}">${field(column, value, { label: `${column.label}, row ${at + 1}`, form: formOf(id) })}</td>`
}

/** @param typed what was entered, if it was refused */
export function addForm({ title, columns }: RecordKind, address: string, typed: Record<string, string>): Html {
  const fields = columns.filter(({ isFixed }) => !isFixed)
  return html`<form method="post" action="${address}" class="card" aria-label="Add to ${title}"><h2>Add</h2>
${fields.map((column) => html`<p><label for="new-${column.name}">${column.label}</label>${field(column, typed[`f-${column.name}`] ?? '', { id: `new-${column.name}` })}</p>`)}
<button>Add</button></form>`
}

function field(
  { name, options, isLong }: Column,
  value: string,
  { label, form, id }: { label?: string; form?: string; id?: string },
): Html {
  const named = html`name="f-${name}"${label && html` aria-label="${label}"`}${form && html` form="${form}"`}${id && html` id="${id}"`}`
  if (isLong) return html`<textarea ${named}>${value}</textarea>`
  if (!options) return html`<input ${named} value="${value}">`
  const all = options.includes(value) ? options : [value, ...options]
  return html`<select ${named}>${all.map((option) => html`<option${option === '' && html` value=""`}${option === value && html` selected`}>${option || '–'}</option>`)}</select>`
}

const formOf = (id: string) => `row-${encodeURIComponent(id)}`
