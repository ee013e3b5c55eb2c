declare module "mcc" {
  const codes: { readonly all: readonly { mcc: string; edited_description: string }[] };
  export default codes;
}
