/** A value that is read-only at every depth. */
export type DeepReadonly<Value> = Value extends readonly (infer Member)[]
  ? readonly DeepReadonly<Member>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value
