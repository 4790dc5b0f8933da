/** A plugin for Vite. */
export const dataAsJson: {
  name: string
  transform(code: string, id: string): Promise<{ code: string; map: null } | null>
}
