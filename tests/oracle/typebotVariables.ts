import { type Fields, list, text } from './typebotFile'

/** What the product keeps in a variable. */
export type Value = string | (string | null)[] | null

export interface Variable {
  id: string
  name: string
  value: Value
}

/** The variables of one conversation; and what happened to them that the products do not share. */
export class TypebotVariables {
  readonly features = new Set<string>()
  readonly all: Variable[]

  constructor(file: Fields) {
    this.all = list(file.variables).map(({ id, name, value }) => ({
      id: text(id),
      name: text(name),
      value: Array.isArray(value) ? value.map(text) : typeof value === 'string' ? value : null,
    }))
  }

  of(id: unknown): Variable | undefined {
    return this.all.find((variable) => variable.id === id)
  }

  /** The variable that a text is nothing but. */
  alone(part: string) {
    const name = /^\{\{([^{}]+)\}\}$/.exec(part)?.[1]
    return name === undefined ? undefined : this.all.find((variable) => variable.name === name)
  }

  /** A text with the values of its variables; a list as JSON, which nobody should see. */
  fill(source: string): string {
    return source.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
      const value = this.all.find((variable) => variable.name === name)?.value
      if (Array.isArray(value)) this.features.add('list printed')
      return value === null || value === undefined ? '' : typeof value === 'string' ? value : value.join(', ')
    })
  }
}
